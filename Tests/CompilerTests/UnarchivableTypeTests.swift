import XCTest

/// The compiler reports one error for a declaration that cannot be archived. The error is at the declaration
/// and contains the type and a remedy.
final class UnarchivableTypeTests: XCTestCase {
  private static let types = """
    class Foo {}
    struct Bar: Hashable {}
    enum Baz { case a, b(Int) }
    struct Codable_: Codable { var x = 1 }
    struct Unique: ~Copyable {}
    @propertyWrapper struct Wrapper<T> { var wrappedValue: T }
    """

  private static func property(_ line: Int, _ type: String) -> String {
    "\(line): struct 'property (make its type '@Archivable', or mark it '@Coded' or '@Transient')' requires that "
      + "'\(type)' conform to 'ArchivableValue'"
  }

  private static func weakProperty(_ line: Int, _ type: String) -> String {
    "\(line): struct 'weak property (make its class '@Archivable', or mark it '@Transient')' requires that "
      + "'\(type)' conform to 'Archivable'"
  }

  private static func unownedProperty(_ line: Int, _ type: String) -> String {
    "\(line): struct 'unowned property (make its class '@Archivable', or mark it '@Transient')' requires that "
      + "'\(type)' conform to 'Archivable'"
  }

  private static func codedProperty(_ line: Int, _ type: String, _ interface: String) -> String {
    "\(line): struct 'property (make its type 'Codable', or mark it '@Transient' instead of '@Coded')' requires that "
      + "'\(type)' conform to '\(interface)'"
  }

  private static func associatedValue(_ line: Int, _ type: String) -> String {
    "\(line): struct 'associated value (make its type '@Archivable')' requires that '\(type)' conform to "
      + "'ArchivableValue'"
  }

  private func assertErrors(_ table: [(source: String, errors: [String])], line: UInt = #line) throws {
    try assertCompilerErrors(table.map { ("\($0)\n\(Self.types)", $1) }, line: line)
  }

  func testUnarchivablePropertyOfAClassCausesOneError() throws {
    let declarations: [(String, String)] = [
      ("var r = Foo()", "Foo"), ("var r: Foo = Foo()", "Foo"), ("var r = Bar()", "Bar"),
      ("var r = Baz.a", "Baz"), ("var r = Codable_()", "Codable_"), ("var r: Range<Baz_>?", "Baz_"),
      ("var r: [Foo] = []", "Foo"), ("var r: [[Foo?]] = []", "Foo"), ("var r: Foo?", "Foo"),
      ("var r: Foo!", "Foo"),
      ("var r: [String: Foo] = [:]", "Foo"), ("var r: [Bar: Int] = [:]", "Bar"),
      ("var r: Set<Bar> = []", "Bar"),
      ("@Wrapper var r = Foo()", "Foo"),
      ("var r = Foo() { didSet {} }", "Foo"), ("let r: Foo; init(r: Foo) { self.r = r }", "Foo"),
      ("var r = Unique()", "Unique"), ("var r: (Int, Foo) = (1, Foo())", "Foo"),
    ]
    try assertErrors(
      declarations.map { declaration, type in
        (
          "@Archivable class A {\n  var number = 1\n  \(declaration)\n}\n"
            + "struct Baz_: Comparable { static func < (a: Baz_, b: Baz_) -> Bool { false } }",
          [Self.property(3, type)]
        )
      })
    try assertErrors([
      ("@Archivable class A {\n  weak var r: Foo?\n}", [Self.weakProperty(2, "Foo")]),
      (
        "@Archivable class A {\n  unowned var r: Foo; init(r: Foo) { self.r = r }\n}",
        [Self.unownedProperty(2, "Foo")]
      ),
      (
        "@Archivable class A {\n  var r = Foo()\n  var i = 1\n  var s: [Bar?] = []\n}",
        [Self.property(2, "Foo"), Self.property(4, "Bar")]
      ),
      (
        "@Archivable class A {\n  var r = Foo(), s: Bar?\n}",
        [Self.property(2, "Foo"), Self.property(2, "Bar")]
      ),
    ])
  }

  func testUnarchivablePropertyCausesOneErrorInAnyClass() throws {
    try assertErrors([
      ("@Archivable class A {}\n@Archivable class B: A {\n  var r = Foo()\n}", [Self.property(3, "Foo")]),
      ("@Archivable final class A {\n  var r = Foo()\n}", [Self.property(2, "Foo")]),
      ("@Archivable @MainActor class A {\n  var r = Foo()\n}", [Self.property(2, "Foo")]),
      (
        "import Observation\n@Archivable @Observable class A {\n  var r = Foo()\n}", [Self.property(3, "Foo")]
      ),
      (
        "struct O {}\nextension O {\n  @Archivable class A {\n    var r = Foo()\n  }\n}",
        [Self.property(4, "Foo")]
      ),
      (
        "@Archivable class A<T: Hashable> {\n  var r: T\n  init(r: T) { self.r = r }\n}",
        [Self.property(2, "T")]
      ),
      (
        "@Archivable class A<T: ArchivableValue & Hashable> {\n  var t: T?\n  var r: [Int: [T: Foo]]?\n}",
        [Self.property(3, "Foo")]
      ),
      (
        "@Archivable class A<T> {\n  var r: T\n  init(r: T) { self.r = r }\n}",
        [
          "1: type parameter 'T' of 'A' has no constraint; values of type 'T' can be archived only if it is "
            + "'ArchivableValue'"
        ]
      ),
    ])
  }

  func testUnarchivablePropertyOfAStructureCausesOneError() throws {
    try assertErrors([
      ("@Archivable struct A {\n  var r: Foo\n}", [Self.property(2, "Foo")]),
      ("@Archivable struct A {\n  let r: [Foo]\n}", [Self.property(2, "Foo")]),
      ("@Archivable struct A {\n  var r: [String: Foo] = [:]\n}", [Self.property(2, "Foo")]),
      (
        "@Archivable struct A {\n  var r = Bar()\n  var s = [Baz.a]\n}",
        [Self.property(2, "Bar"), Self.property(3, "Baz")]
      ),
      ("@Archivable struct A {\n  weak var r: Foo?\n}", [Self.weakProperty(2, "Foo")]),
      ("@Archivable struct A {\n  unowned var r: Foo?\n}", [Self.unownedProperty(2, "Foo")]),
      ("@Archivable struct A {\n  @Wrapper var r = Foo()\n  var i = 1\n}", [Self.property(2, "Foo")]),
      ("@Archivable struct A<T> {\n  var t: T\n  var r: Foo\n}", [Self.property(3, "Foo")]),
      ("enum O {\n  @Archivable struct A {\n    var r = Foo()\n  }\n}", [Self.property(3, "Foo")]),
    ])
  }

  func testUnarchivableAssociatedValueCausesOneError() throws {
    try assertErrors([
      ("@Archivable enum A {\n  case i\n  case r(Foo)\n}", [Self.associatedValue(3, "Foo")]),
      (
        "@Archivable enum A {\n  case r(x: Int, y: [Foo?]),\n    s(Bar)\n}",
        [Self.associatedValue(2, "Foo"), Self.associatedValue(3, "Bar")]
      ),
      ("@Archivable enum A<T> {\n  case t(T)\n  case r(Foo)\n}", [Self.associatedValue(3, "Foo")]),
    ])
  }

  func testCodedPropertyWithoutCodableTypeCausesOneError() throws {
    try assertErrors([
      ("@Archivable class A {\n  @Coded var r = Foo()\n}", [Self.codedProperty(2, "Foo", "Decodable")]),
      (
        "@Archivable struct A {\n  @Coded var r: [Bar]\n  @Coded var s: Foo?\n}",
        [Self.codedProperty(2, "Bar", "Decodable"), Self.codedProperty(3, "Foo", "Decodable")]
      ),
      (
        "struct Half: Decodable {}\n@Archivable class A {\n  @Coded var r: [Half] = []\n}",
        [Self.codedProperty(3, "Half", "Encodable")]
      ),
      (
        "struct Half: Encodable {}\n@Archivable class A {\n  @Coded var r: Half?\n}",
        [Self.codedProperty(3, "Half", "Decodable")]
      ),
      (
        "@Archivable class A {\n  @Coded var r: (Int, Int) = (1, 2)\n}",
        [
          "2: 'r' cannot be archived: '(Int, Int)' cannot be 'Codable'; leave '@Coded' away, or use a type that is"
        ]
      ),
      (
        "@Archivable class A {\n  @Boxed @Coded var r: Any?\n}",
        [
          "2: 'r' cannot be both '@Coded' and '@Boxed': one is for a 'Codable' type, the other for 'Any' and "
            + "'AnyObject'"
        ]
      ),
    ])
  }

  /// An object of such a class is archived as a value and read as a new object, so nothing retains the target
  /// of the reference.
  func testReferenceToAConvertedClassCausesOneError() throws {
    let form = """
      \nfinal class C: ArchivableByConversion, Codable {
        init() {}
        var archivedForm: Int { 1 }
        init(archivedForm: Int) {}
      }
      """
    func coded(_ ownership: String) -> String {
      "2: '@Coded' does not apply to \(ownership) property 'r': what is decoded is a new object, which nothing "
        + "would keep; make its class '@Archivable', or mark it '@Transient'"
    }
    try assertErrors([
      ("@Archivable class A {\n  weak var r: C?\n}\(form)", [Self.weakProperty(2, "C")]),
      ("@Archivable class A {\n  unowned var r: C?\n}\(form)", [Self.unownedProperty(2, "C")]),
      ("@Archivable struct A {\n  unowned let r: C\n}\(form)", [Self.unownedProperty(2, "C")]),
      ("@Archivable class A {\n  @Coded weak var r: C?\n}\(form)", [coded("weak")]),
      ("@Archivable struct A {\n  @Coded unowned var r: C\n}\(form)", [coded("unowned")]),
    ])
  }

  /// A macro does not resolve type aliases. Therefore, the compiler reports the type without a remedy.
  func testAliasedUnarchivableTypeCausesOneError() throws {
    func error(_ type: String, _ line: Int = 2, conformance: String = "ArchivableValue") -> String {
      "\(line): type \(type) cannot conform to '\(conformance)'"
    }
    let aliases =
      "\nprotocol P: AnyObject {}; typealias AP = any P; typealias APs = [any P]; typealias F = () -> Void; "
      + "typealias JSON = [String: Any]"
    try assertErrors([
      ("@Archivable class A {\n  var r: P?\n}\(aliases)", [error("'any P'")]),
      ("@Archivable class A {\n  var r: AP?\n}\(aliases)", [error("'AP' (aka 'any P')")]),
      ("@Archivable class A {\n  var r: APs = []\n}\(aliases)", [error("'any P'")]),
      (
        "@Archivable class A {\n  weak var r: AP?\n}\(aliases)",
        [error("'AP' (aka 'any P')", conformance: "Archivable")]
      ),
      (
        "@Archivable class A {\n  @Boxed var r: JSON = [:]\n}\(aliases)",
        [
          "2: 'r' cannot be archived: '@Boxed' is for 'Any' and 'AnyObject', which 'JSON' does not spell out; write "
            + "what it stands for, such as '[String: Any]', or leave '@Boxed' away"
        ]
      ),
    ])
  }

  /// An alias of a function or metatype is one error with a remedy.
  func testAliasOfFunctionOrMetatypeCausesOneError() throws {
    func error(_ what: String, _ remedy: String, _ line: Int = 2) -> String {
      "\(line): 'check' is unavailable: a \(what) has no stored form; \(remedy)"
    }
    let alias = "\ntypealias F = () -> Void; typealias G = @Sendable (Int, String) throws -> Bool"
    let function = error("function", "mark the property '@Transient'")
    let metatype = error("metatype", "mark the property '@Transient', or archive the name of the type")
    try assertErrors([
      ("@Archivable class A {\n  var r: F?\n}\(alias)", [function]),
      ("@Archivable class A {\n  var r: F = {}\n}\(alias)", [function]),
      ("@Archivable struct A {\n  var r: G?\n}\(alias)", [function]),
      ("@Archivable class A {\n  var r: AnyClass?\n}", [metatype]),
      ("@Archivable struct A {\n  var r: AnyClass\n}", [metatype]),
      (
        "@Archivable enum A {\n  case r(F)\n}\(alias)",
        [error("function", "archive the data that it is made from")]
      ),
      ("@Archivable enum A {\n  case r(AnyClass?)\n}", [error("metatype", "archive the name of the type")]),
      ("@Archivable class A {\n  @Transient var r: F?; @Transient var s: AnyClass?\n}\(alias)", []),
    ])
  }

  /// Errors of the compiler itself cause no further errors.
  func testInvalidTypesCauseOnlyCompilerErrors() throws {
    let missing = "2: cannot find type 'Missing' in scope"
    try assertErrors([
      ("@Archivable class A {\n  var r: Missing?\n}", [missing]),
      ("@Archivable class A {\n  let r: Missing; init(r: Missing) { self.r = r }\n}", [missing, missing]),
      ("@Archivable class A {\n  weak var r: Missing?\n}", [missing]),
      ("@Archivable struct A {\n  var r: Missing?\n}", [missing]),
      ("@Archivable struct A {\n  weak var r: Missing?\n}", [missing]),
      (
        "@Archivable class A {\n  var r: Range<Baz>?\n}",
        ["2: type 'Baz' does not conform to protocol 'Comparable'"]
      ),
      (
        "@Archivable class A {\n  var r: Set<Foo> = []\n}",
        ["2: type 'Foo' does not conform to protocol 'Hashable'"]
      ),
      (
        "@Archivable struct A {\n  var r: [K: Int] = [:]\n}\n@Archivable class K {}",
        ["2: type 'K' does not conform to protocol 'Hashable'"]
      ),
      (
        "func f() throws { _ = try Archiver().archive(Foo()) }",
        [
          "1: instance method 'archive' requires that 'Foo' conform to 'ArchivableValue'"
        ]
      ),
    ])
  }

  func testLocalArchivableTypeCausesOneError() throws {
    let error = "2: local type cannot have attached extension macro"
    try assertErrors([
      ("func f() {\n  @Archivable class A { var r = 1 }\n}", [error]),
      ("func f() {\n  @Archivable struct A { var r = 1 }\n}", [error]),
      ("func f() {\n  @Archivable enum A { case a, b(Int) }\n}", [error]),
      ("var x: Int {\n  @Archivable struct A { var r = Foo() }\n  return 1\n}", [error]),
    ])
  }

  func testArchivableTypesCompile() throws {
    try assertErrors([
      (
        "@Archivable class A {\n  var r: Range<Int> = 0..<3; var q = 0..<3; weak var w: A?; unowned var u: A?\n}",
        []
      ),
      (
        "@Archivable class A {\n  @Coded var c = Codable_(); @Transient var f = Foo(); weak var w: (any P)?\n}\n"
          + "protocol P: AnyObject {}", []
      ),
      (
        "@Archivable struct A {\n  var a: [A] = []; @Wrapper var i = 1; weak var b: B?\n}\n@Archivable class B {}",
        []
      ),
      (
        "@Archivable class A {\n  unowned var r: (any P)?; unowned var s: A?\n}\nprotocol P: AnyObject {}", []
      ),
      ("@Archivable enum A {\n  case a([A]), b(x: any P, (Int, String)), c\n}\nprotocol P {}", []),
    ])
  }
}
