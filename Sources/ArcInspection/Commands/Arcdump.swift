import ArcFormat
package import ArgumentParser

/// The inspector of `.arc` files: it needs the file alone, not the classes of the program that wrote it.
package struct Arcdump: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "arcdump",
    abstract: "Shows what an .arc file holds.",
    usage: """
      arcdump [tree] FILE [--depth N] [--limit N] [--full] [--json-lines] [OPTIONS]
      arcdump info|classes|verify FILE [OPTIONS]
      arcdump get FILE PATH… [--raw] [--depth N] [--full] [--json-lines] [OPTIONS]
      arcdump find FILE EXPRESSION [--count] [--group-by PATH] [--sum PATH] [--no-paths]
           [--json-lines] [OPTIONS]
      arcdump stats|cycles FILE [OPTIONS]
      arcdump holders FILE [OBJECT] [--limit N] [OPTIONS]
      arcdump diff A B [--key PROPERTY]… [--schema|--stat] [OPTIONS]
      arcdump schema FILE [--against NEW] [OPTIONS]
      arcdump recover FILE -o OUT [--json] [--trust]
      arcdump export FILE --format FORMAT [--class CLASS]… [--columns A,B] [-o OUT] [OPTIONS]
      arcdump import FILE… -o OUT [--report] [--json] [--trust]
      arcdump encoding [STRING…] [--kind KIND] [--target TRIPLE] [--json|--json-lines]
      arcdump completions bash|zsh|fish
      arcdump man
      OPTIONS: [--json] [--color auto|always|never] [--no-pager] [--trust]
      """,
    discussion: """
      'arcdump FILE' is short for 'arcdump tree FILE'; FILE may be '-', standard input.

      Exit codes: 0, 1 recovered in part, refused, different, or nothing found, 64 wrong usage, 65 not an archive or a damaged one, 66 no such file, 74 output failed.
      """,
    version:
      "arcdump of Arc, for files of format \(ArchiveHeader.currentMajor).\(ArchiveHeader.currentMinor)",
    subcommands: [
      TreeCommand.self, InfoCommand.self, ClassesCommand.self, VerifyCommand.self, GetCommand.self,
      FindCommand.self, StatsCommand.self, HoldersCommand.self, CyclesCommand.self, DiffCommand.self,
      SchemaCommand.self, RecoverCommand.self, ExportCommand.self, ImportCommand.self, EncodingCommand.self,
      CompletionsCommand.self, ManCommand.self,
    ],
    defaultSubcommand: TreeCommand.self)

  package init() {}
}
