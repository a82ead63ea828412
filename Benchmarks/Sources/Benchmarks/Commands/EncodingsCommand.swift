import Arc
import ArcRuntime
import ArgumentParser
import Foundation

/// Measures how long it takes to parse the runtime's encoding of a property, a method or a type.
struct EncodingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encodings", abstract: "Times the parsing of type encodings: nanoseconds a string.")

  @Option(help: "How often each string is parsed in a round.")
  var count = 200_000

  private static let properties = [
    "Ti,N,V_x", #"T@"NSString",C,N,V_name"#, #"T@"NSString",R,N,C,V_name"#, #"T@"Person",N,W,V_mother"#,
    "T{CGRect={CGPoint=dd}{CGSize=dd}},N,V_frame",
    #"T@"<UITableViewDelegate><UITableViewDataSource>",W,N,V_delegate"#, #"T$[@"Person"],N,C,V_friends"#,
  ]
  private static let methods = ["v16@0:8", #"v32@0:8@"NSString"16@?<v@?@>24"#]
  private static let types = ["i", #"@"NSString""#, "{CGRect={CGPoint=dd}{CGSize=dd}}"]

  func run() throws {
    for text in Self.properties {
      try report(text) { try PropertyAttributes(parsing: text).attributes.count }
    }
    for text in Self.methods { try report(text) { try MethodType(parsing: text).arguments.count } }
    for text in Self.types { try report(text) { try TypeEncoding(parsing: text).isUncoded ? 0 : 1 } }
  }

  /// Prints the median of five rounds. Adding up the results prevents the optimizer from removing the work.
  private func report(_ text: String, _ parse: () throws -> Int) throws {
    var rounds: [Double] = []
    var sum = 0
    for _ in 0..<5 {
      let time = try ContinuousClock().measure { for _ in 0..<count { sum &+= try parse() } }
      rounds.append(time / .nanoseconds(1) / Double(count))
    }
    let median = rounds.sorted()[rounds.count / 2]
    print(String(format: "%7.0f ns  ", median) + text + (sum == .min ? " " : ""))
  }
}
