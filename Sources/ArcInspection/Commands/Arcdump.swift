import ArcFormat
package import ArgumentParser

/// The command `arcdump`, which inspects `.arc` files.
///
/// The command needs only the file, not the classes of the program that wrote the file.
package struct Arcdump: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "arcdump",
    abstract: "Show the contents of .arc files.",
    usage: """
      arcdump [tree] FILE [--depth N] [--limit N] [--full] [OPTIONS]
      arcdump info|classes|verify|digest|stats|cycles FILE [OPTIONS]
      arcdump get FILE PATH… [--raw] [--depth N] [--full] [OPTIONS]
      arcdump find FILE EXPRESSION [--count] [--group-by PATH] [--sum PATH]
           [--no-paths] [OPTIONS]
      arcdump holders FILE [OBJECT] [--limit N] [OPTIONS]
      arcdump diff A B [--key PROPERTY]… [--schema|--stat] [OPTIONS]
      arcdump schema FILE [--against NEW] [OPTIONS]
      arcdump recover FILE -o OUT [--json] [--trust]
      arcdump export FILE --format FORMAT [--class CLASS]…
           [--columns A,B] [-o OUT] [OPTIONS]
      arcdump import FILE… -o OUT [--report] [--json] [--trust]
      arcdump encoding [STRING…] [--kind KIND] [--target TRIPLE] [--json]
      arcdump completions bash|zsh|fish
      arcdump man
      OPTIONS: [--json] [--color auto|always|never] [--no-pager] [--trust]
      """,
    discussion: """
      arcdump does not need the classes of the program that wrote the file. \
      'arcdump FILE' is short for 'arcdump tree FILE'. If FILE is '-', arcdump reads standard input to its \
      end into memory, because the list of segments is at the end of a file; a file is mapped instead. \
      tree, get, find and encoding accept --json-lines, which prints one JSON object per line.

      For example:
        arcdump garden.arc
        arcdump find garden.arc 'Tree[height > 10]'
        arcdump diff before.arc after.arc

      Exit codes:
        0   success
        1   differences, a refused schema, no match, or a partial recovery
        64  wrong usage
        65  a file that is not an archive, or a damaged archive
        66  an unreadable file
        74  an output that cannot be written
      """,
    version:
      "arcdump of Arc \(toolVersion), for files of format \(ArchiveHeader.knownVersions.joined(separator: " and "))",
    subcommands: [
      TreeCommand.self, InfoCommand.self, ClassesCommand.self, VerifyCommand.self, DigestCommand.self,
      GetCommand.self, FindCommand.self, StatsCommand.self, HoldersCommand.self, CyclesCommand.self,
      DiffCommand.self,
      SchemaCommand.self, RecoverCommand.self, ExportCommand.self, ImportCommand.self, EncodingCommand.self,
      CompletionsCommand.self, ManCommand.self,
    ],
    defaultSubcommand: TreeCommand.self)

  /// The version of Arc, as in the list of changes.
  static let toolVersion = "1.0.0"

  /// Creates the command, as ArgumentParser requires.
  package init() {}
}
