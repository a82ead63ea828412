import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcInspection

/// `arcdump classes --swift` and `--interface`.
final class DeclarationTests: XCTestCase {
  func testSwiftDeclarationsMatchTheClasses() throws {
    XCTAssertEqual(
      try arcdump("classes", "--swift", on: SampleArchives.family()).output,
      """
      // The classes of an Arc archive, by arcdump.

      class Biology {
        private var age: Double
        var intro: String?

        init(age _0: Double, intro _1: String? = nil) {
          self.age = _0
          self.intro = _1
        }
      }

      class Person: Biology {
        let name: String
        var age: Int
        weak var mother: Person?
        var friends: [Person]

        init(name _0: String, age _1: Int, mother _2: Person? = nil, friends _3: [Person], age _4: Double, intro _5: String? = nil) {
          self.name = _0
          self.age = _1
          self.mother = _2
          self.friends = _3
          super.init(age: _4, intro: _5)
        }
      }

      """)
  }

  func testObjectiveCInterfacesMatchTheClasses() throws {
    XCTAssertEqual(
      try arcdump("classes", "--interface", on: SampleArchives.family()).output,
      """
      // The classes of an Arc archive, by arcdump.
      #import <Foundation/Foundation.h>
      @class Biology;
      @class Person;

      @interface Biology : NSObject {
        double _age;
        NSString *_intro;
      }
      @property (nonatomic) double age;
      @property (nonatomic) NSString *intro;
      @end

      @interface Person : Biology {
        NSString *_name;
        // long long _age; a superclass has one too
        Person *_mother;
        NSArray<Person *> *_friends;
      }
      @property (nonatomic, readonly, unsafe_unretained) NSString *name;
      @property (nonatomic) long long age;
      @property (nonatomic, weak) Person *mother;
      @property (nonatomic) NSArray<Person *> *friends;
      @end

      """)
  }

  func testSwiftDeclarationsCompileForAnyArchive() throws {
    let usual = [("family", try SampleArchives.family()), ("kinds", try SampleArchives.kinds())]
    let worst = [("hostile", try hostile())]
    for (name, bytes) in RandomTrials.sample(of: usual, oneIn: 2) + worst {
      try assertCompiles(try arcdump("classes", "--swift", on: bytes).output, name)
    }
  }

  func testDeclarationOptionsCannotBeCombined() throws {
    for arguments in [["--swift", "--interface"], ["--json", "--swift"], ["--json", "--interface"]] {
      XCTAssertThrowsError(try command(["classes"] + arguments))
    }
  }

  func testNamesFromAFileCannotEndADeclaration() throws {
    for option in ["--swift", "--interface"] {
      let output = try arcdump("classes", option, on: hostile()).output
      XCTAssertFalse(output.contains("evil()"), output)
    }
  }

  /// Returns an archive with names that are keywords, Swift types, duplicates, empty, or code, and with every
  /// kind of type.
  private func hostile() throws -> [UInt8] {
    let builder = try RowWiseArchive(roots: [])
    let tree = #"{Tree="value"q"left"$?{Tree}"more"$[{Tree}]"owner"@"class"}"#
    let base: [(String, String)] = [
      ("self", "Tq,N"), ("init", "TB,N,R"), ("class", "Ti,N"), ("a b", "Td,N"), ("a_b", "Tf,N"), ("", "Tc,N"),
      ("x: Int = evil(); var y", "TQ,N"), ("Type", "Ts,N"), ("1", "TC,N"), ("shared", "Tq,N"),
      ("hash", "Tq,N"),
      ("größe", "T ,N"), ("hashValue", "TI,N"),
    ]
    let first = try builder.addClass("class", properties: base)
    let second = try builder.addClass(
      "String", superclass: first, inherited: base.map { (first, $0.0, $0.1) },
      properties: [
        ("shared", #"T@"NSString",N,C"#), ("tree", "T" + tree), ("trees", "T$[" + tree + "]"),
        ("set", "T$<" + tree + ">,N"), ("missing", #"T@"Not.Here<Int>",N,&"#), ("any", "T@,N"),
        ("proto", #"T@"<P>",N,W"#), ("keys", #"T$<@"class":$?q>,N,C"#),
        ("shape", #"T$(Shape="circle"{?="radius"d}"in"{?=""q""@"String"}"none""again"{?=""$(Shape)}),N"#),
        ("other", #"T{Tree="q"q},N"#), ("link", #"T{Link="to"$~@"class"},N"#), ("date", #"T@"NSDate",N,C"#),
        ("big", "TT,N"), ("owner", #"T@"class",N,R"#), ("back", #"T@"class",N,W"#),
      ])
    try builder.addClass("struct A {} evil(); class B", properties: [])
    try builder.addClass("Box<Int>", superclass: second, inherited: [], properties: [])
    try builder.addClass("Bag", properties: [("k", "Tq"), ("k2", #"T@"Bag""#)], flags: .keyed)
    return try builder.finish()
  }

  /// Compiles a source with the compiler that built this test, if it is in `PATH`.
  private func assertCompiles(_ source: String, _ name: String) throws {
    let file = try temporaryFolder().appendingPathComponent("\(name).swift")
    try Data(source.utf8).write(to: file)
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["swiftc", "-typecheck", "-swift-version", "6", file.path]
    let errors = Pipe()
    compiler.standardError = errors
    try compiler.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    if compiler.terminationStatus == 127 { throw XCTSkip("no swiftc in the path") }
    XCTAssertEqual(
      compiler.terminationStatus, 0, "\(name): \(String(decoding: said, as: UTF8.self))\n\(source)")
  }
}
