import XCTest

/// The compiler reports one error for a declaration that is wrong as a whole.
final class DeclarationTests: XCTestCase {
  func testTypeWithTwoArchivedFormsCausesOneError() throws {
    func error(_ conformance: String) -> String {
      "1: 'A' is '@Archivable' and conforms to '\(conformance)', which are two ways to archive it; choose one"
    }
    let ofAStructure = "var archivedForm: Int { 1 }; init(archivedForm: Int) { r = 1 }"
    let ofAClass = "var archivedForm: Int { 1 }; init(archivedForm: Int) {}"
    let (conversion, coding) = ("ArchivableByConversion", "ArchivableByCoding")
    try assertCompilerErrors([
      ("@Archivable struct A: ArchivableByConversion { var r = 1; \(ofAStructure) }", [error(conversion)]),
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

  /// The compiler reports its own error, and no second error for the common requirements of the hooks'
  /// protocols.
  func testMisplacedHookCausesOneError() throws {
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

  func testDeclarationsNamedLikeTheModuleCompile() throws {
    let uses =
      "func f(_ a: [A]) throws { _ = try Unarchiver().unarchive([A].self, from: Archiver().archive(a)) }"
    let other = "class Arc { static let x = 1 }; class ArcModel {}"
    try assertCompilerErrors([
      ("@Archivable struct A {\n  var Arc: Int\n}; \(uses)", []),
      ("@Archivable class A {\n  var Arc = 1; var a: A?\n}; \(uses)", []),
      ("@Archivable enum A {\n  case Arc(Int), b\n}; \(uses)", []),
      ("@Archivable class Arc { var r = 1 }", []),
      ("\(other)\n@Archivable class A { var r: [A?] = []; @Boxed var any: Any? }; \(uses)", []),
      (
        "\(other)\n@Archivable class A { var a = 1 }; @Archivable class B: A { var r: (Int, A)? }; \(uses)",
        []
      ),
      ("\(other)\n@Archivable struct A { var r: Int?; @Coded var c: Int }; \(uses)", []),
      ("\(other)\n@Archivable enum A { case r(any P), b }; protocol P {}; \(uses)", []),
      ("\(other)\n@Archivable @MainActor final class A { var r = 1 }", []),
    ])
  }

  /// A wrong mark is an error of the compiler at its line, and a second error in the expansion.
  func testInvalidAttributeIsReportedAtItsLine() throws {
    let unknown = "2: type 'JSONRules' has no member 'nothing'"
    let format = "3: type 'ValueFormat' has no member 'nothing'"
    try assertCompilerErrors([
      ("import ArcModel; @Archivable class A {\n  @JSONRule(.nothing) var r = 1\n}", [unknown, unknown]),
      ("import ArcModel; @Archivable struct A {\n  @JSONRule(.nothing) var r = 1\n}", [unknown, unknown]),
      (
        "import ArcModel; @Archivable class A {\n  var a = 1\n  @JSONFormat(.nothing) var r = 1\n}",
        [format, format]
      ),
    ])
  }

  func testConversionToWrongTypeCausesOneError() throws {
    func error(_ old: String, _ new: String, _ line: Int = 2) -> String {
      "\(line): cannot convert value of type '\(old)' to closure result type '\(new)'"
    }
    try assertCompilerErrors([
      (
        "@Archivable class A {\n  @Key(\"w\", from: Int.self, { $0 / 10 }) var r = 1.0\n  var s = 1\n}",
        [error("Int", "Double")]
      ),
      (
        "@Archivable class A {\n  @Key(\"w\", from: Int.self, {\n    $0 / 10\n  }) var r = 1.0\n}",
        [error("Int", "Double", 3)]
      ),
      (
        "@Archivable class A {\n  @Key(\"v\", from: Int.self, { Double($0) }) @Key(\"w\", from: Int.self, { $0 })\n"
          + "  var r = 1.0\n}",
        [error("Int", "Double")]
      ),
      (
        "@Archivable class A {\n  @Key(\"a\", \"b\", from: (Int, Int).self, { $0 + $1 }) var r: String?\n}",
        [error("Int", "String?")]
      ),
      (
        "@Archivable class A {\n  @Key(\"a\", from: Int.self, { Double($0) / 10 }) var r = 1.0\n"
          + "  @Key(\"b\", from: Int.self, String.init) var s = \"\"\n"
          + "  @Key(\"c\", from: Int.self, { Double($0) }) let t: Double\n  init() { t = 1 }\n}",
        []
      ),
    ])
  }

  func testConversionErrorIsReportedAtItsLine() throws {
    let source =
      "@Archivable class A {\n  var a = 1\n  @Key(\"w\", from: Int.self, { $0.nothing }) var r = 1.0\n}"
    let errors = try Compiler().errors(of: "import Arc; \(source)")
    XCTAssertEqual(Set(errors), ["3: value of type 'Int' has no member 'nothing'"])
  }

  func testMissingInitializerCausesOneError() throws {
    let advice = "class 'A' has no initializer that sets 'r'; write an 'init', or give 'r' an initial value"
    try assertCompilerErrors([
      ("@Archivable class A {\n  var r: Int\n}", ["1: \(advice)"]),
      ("@Archivable class S { var i = 1 }\n@Archivable class A: S {\n  var r: Int\n}", ["2: \(advice)"]),
    ])
  }

  /// The macro sees a name after the colon, but not whether it is a class, or a class with `init()`. For some
  /// types, its expansion is wrong, and the compiler reports errors in the expansion. The argument
  /// `superclass:` gives the macro this information.
  func testSuperclassArgumentPreventsErrorsForUnarchivableSuperclass() throws {
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
      // There is an error for each of the two generated initializers.
      (
        "class S { init(x: Int) {} }\n@Archivable class A: S { var r = 1 }",
        Array(
          repeating: "expansion: 'super.init' isn't called on all paths before returning from initializer",
          count: 2)
      ),
    ])
  }

  /// A macro does not see whether an attribute is a global actor, nor the actor of the superclass.
  func testActorsThatTheMacroCannotSeeCauseErrors() throws {
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
