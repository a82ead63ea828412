import ArgumentParser

/// The command-line program that measures Arc, its peers and the floors.
@main
struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Benchmarks", abstract: "Measures Arc against floors and peers.",
    subcommands: [
      RunCommand.self, CurveCommand.self, EncodingsCommand.self, SampleCommand.self, ModelsCommand.self,
      FeaturesCommand.self,
    ],
    defaultSubcommand: RunCommand.self)
}

extension Operation: ExpressibleByArgument {}
