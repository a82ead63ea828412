import XCTest

/// What the compiler says of declarations that are wrong as a whole: one error, where Swift has one word for
/// it.
final class DeclarationTests: XCTestCase {
  func testTwoFormsOfOneTypeAreOneError() throws {
    func error(_ conformance: String) -> String {
      "1: 'A' is '@Archivable' and conforms to '\(conformance)', which are two ways to archive it; choose one"
    }
    let ofAStructure = "var archivedForm: Int { 1 }; init(archivedForm: Int) { r = 1 }"
    let ofAClass = "var archivedForm: Int { 1 }; init(archivedForm: Int) {}"
    let (conversion, coding) = ("ArchivableByConversion", "ArchivableByCoding")
    try assertCompilerErrors([
      (
        "@Archivable struct A: ArchivableByConversion { var r = 1; \(ofAStructure) }",
        [error(conversion)]
      ),
      (
        "@Archivable struct A { var r = 1 }\nextension A: ArchivableByConversion { \(ofAStructure) }",
        [error(conversion)]
      ),
      ("@Archivable final class A: ArchivableByConversion { var r = 1; \(ofAClass) }", [error(conversion)]),
      ("@Archivable struct A: ArchivableByCoding { var r = 1 }", [error(coding)]),
      ("@Archivable enum A: Codable { case a(Int) }\nextension A: ArchivableByCoding {}", [error(coding)]),
      ("@Archivable enum A: String, ArchivableByCoding { case a }", [error(coding)]),
      ("@Archivable final class A: ArchivableByCoding { var r = 1 }", [error(coding)]),
      (
        "@Archivable final class A: Codable { var r = 1 }\nextension A: ArchivableByCoding {}",
        [error(coding)]
      ),
      (
        "protocol P: ArchivableValue {}\n@Archivable struct A: P { var r = 1 }\n@Archivable class B: P {}", []
      ),
    ])
  }

  /// Swift's own error, and no second one for what the protocols of hooks have in common.
  func testMisplacedHookIsOneError() throws {
    let hook = "func willArchive(in context: ArchiveContext) {}"
    try assertCompilerErrors([
      (
        "@Archivable struct A: ArchivePreparing { var r = 1; \(hook) }",
        ["1: non-class type 'A' cannot conform to class protocol 'ArchivePreparing'"]
      ),
      (
        "@Archivable @MainActor final class A: ArchivePreparing { var r = 1; \(hook) }",
        [
          "1: conformance of 'A' to protocol 'ArchivePreparing' crosses into main actor-isolated code and can cause "
            + "data races"
        ]
      ),
      (
        "@Archivable @MainActor final class A: ArchivePreparing { var r = 1; nonisolated \(hook) }",
        [
          "1: conformance of 'A' to protocol 'ArchivePreparing' crosses into main actor-isolated code and can cause "
            + "data races"
        ]
      ),
    ])
  }

  func testNameOfTheModuleIsOneError() throws {
    let advice =
      "'Arc' hides the module of that name, which generated code calls; choose another name here, and keep 'Arc' in "
      + "files by '@Key' or '@Archivable'"
    try assertCompilerErrors([
      ("@Archivable struct A {\n  var Arc: Int\n}", ["2: \(advice)"]),
      ("@Archivable class A {\n  var Arc = 1\n}", ["2: \(advice)"]),
      ("@Archivable enum A {\n  case Arc(Int)\n}", ["2: \(advice)"]),
      ("@Archivable class Arc { var r = 1 }", ["1: \(advice)"]),
    ])
  }

  func testMissingInitializerIsOneError() throws {
    let advice = "class 'A' has no initializer that sets 'r'; write an 'init', or give 'r' an initial value"
    try assertCompilerErrors([
      ("@Archivable class A {\n  var r: Int\n}", ["1: \(advice)"]),
      ("@Archivable class S { var i = 1 }\n@Archivable class A: S {\n  var r: Int\n}", ["2: \(advice)"]),
    ])
  }

  /// The macro sees a name after the colon, and not whether it is a class, or a class with `init()`: what it
  /// writes is wrong for some, and the compiler says so there. `superclass:` says it to the macro.
  func testSuperclassThatIsNotArchivable() throws {
    try assertCompilerErrors([
      ("class S { init() {} }\n@Archivable final class A: S { var r = 1 }", []),
      ("class S { init() {} }\n@Archivable(superclass: .notArchivable) class A: S { var r = 1 }", []),
      (
        "class S { init() {} }\n@Archivable class A: S { var r = 1 }",
        ["expansion: overriding declaration requires an 'override' keyword"]
      ),
      (
        "class S { init(x: Int) {} }\n@Archivable final class A: S { var r = 1 }",
        ["expansion: missing argument for parameter 'from' in call"]
      ),
      (
        "class S { init(x: Int) {} }\n@Archivable class A: S { var r = 1; init() { super.init(x: 1) } }",
        ["expansion: 'super.init' isn't called on all paths before returning from initializer"]
      ),
      // One for each of the two initializers that are written.
      (
        "class S { init(x: Int) {} }\n@Archivable class A: S { var r = 1 }",
        Array(
          repeating: "expansion: 'super.init' isn't called on all paths before returning from initializer",
          count: 2)
      ),
    ])
  }

  /// A macro sees neither whether an attribute is an actor nor of which one the superclass is.
  func testActorsThatAMacroDoesNotSee() throws {
    func crossing(_ conformance: String) -> String {
      "expansion: conformance of 'A' to protocol '\(conformance)' crosses into global actor 'GA'-isolated code and "
        + "can cause data races"
    }
    let inherited = "expansion: main actor-isolated property 'r' can not be"
    try assertCompilerErrors([
      (
        "@globalActor actor GA { static let shared = GA() }\n@GA @Archivable final class A { var r = 1; init() {} }",
        [crossing("Archivable"), crossing("ArchivableValue")]
      ),
      (
        "@Archivable class S { var i = 1 }\n@Archivable @MainActor final class A: S { var r = 1 }",
        ["referenced from a nonisolated context", "mutated from a nonisolated context"].map {
          "\(inherited) \($0)"
        }
          + Array(repeating: "\(inherited) referenced from a nonisolated autoclosure", count: 2)
          + ["\(inherited) mutated from a nonisolated context"]
      ),
    ])
  }
}
