import ArcRuntime
import ArcTestSupport
import Foundation
import XCTest

/// Each line of `Fixtures/encodings.jsonl` is an encoding that clang or swift-frontend wrote for a random
/// declaration.
final class CompilerDataTests: XCTestCase {
  func testCompilerStringsParseAndPrintByteForByte() throws {
    for line in try Line.all() {
      let parsed = try ObjectiveCEncoding(parsing: line.encoding, as: line.expectedKind)
      XCTAssertEqual(Array(parsed.description.utf8), Array(line.encoding.utf8), line.encoding)
      if let plain = line.plain {
        XCTAssertEqual(try MethodType(parsing: plain).description, plain)
      }
    }
  }

  func testEncodingsOfCompilersNeverUseArcExtensions() throws {
    for line in try Line.all() {
      switch try ObjectiveCEncoding(parsing: line.encoding, as: line.expectedKind) {
      case .type(let type): XCTAssertFalse(hasExtension(type), line.encoding)
      case .property(let attributes):
        XCTAssertFalse(attributes.type.map(hasExtension) ?? false, line.encoding)
      case .method(let method):
        XCTAssertFalse(([method.result] + method.arguments.map(\.type)).contains(where: hasExtension))
      }
    }
  }

  /// Without Arc's extension, a `$` at the beginning of a type is an error. Therefore, the extension changes
  /// the meaning of no valid encoding.
  func testArcExtensionDoesNotChangeValidEncodings() throws {
    for text in ["$?i", "$[i]", "$<i>", "$<i:q>", "$~@", "$(E=\"a\")"] {
      XCTAssertTrue(hasExtension(try TypeEncoding(parsing: text)), text)
    }
    for text in ["{$S=i}", "{$?=i}", "($[=i)", "{S=\"$\"i}", "@\"$Name\"", "{A<$>=i}", "{A<'$'>=i}", "^{$(}"]
    {
      XCTAssertFalse(hasExtension(try TypeEncoding(parsing: text)), text)
    }
  }

  private func hasExtension(_ type: TypeEncoding) -> Bool {
    switch type {
    case .optional, .list, .set, .dictionary, .enumeration, .weak: true
    case .pointer(let inner), .array(_, let inner), .vector(_, _, let inner), .qualified(_, let inner):
      hasExtension(inner)
    case .block(let signature): signature?.contains(where: hasExtension) ?? false
    case .structure(_, let fields), .union(_, let fields): fields?.contains { hasExtension($0.type) } ?? false
    default: false
    }
  }

  func testEncodingKindIsDetectedFromTheString() throws {
    for line in try Line.all() where line.encoding != "T" {
      XCTAssertEqual(try ObjectiveCEncoding(parsing: line.encoding).kind, line.expectedKind, line.encoding)
    }
  }

  func testSizesAndAlignmentsMatchTheCompiler() throws {
    var count = 0
    for line in try Line.all() where line.lay == 2 {
      let target = try XCTUnwrap(TargetABI(triple: line.target))
      let layout = try TypeEncoding(parsing: line.encoding).layout(for: target)
      XCTAssertEqual(layout?.size, line.size, "\(line.encoding) on \(line.target)")
      let alignment = line.kind == "ivar" ? layout?.preferredAlignment : layout?.alignment
      XCTAssertEqual(alignment, line.align, "\(line.encoding) on \(line.target): \(line.source)")
      count += 1
    }
    XCTAssertGreaterThan(count, 900)
  }

  func testMemberOffsetsMatchTheCompiler() throws {
    var count = 0
    for line in try Line.all() where line.lay == 2 {
      guard let offsets = line.off else { continue }
      let target = try XCTUnwrap(TargetABI(triple: line.target))
      let members = try TypeEncoding(parsing: line.encoding).memberLayouts(for: target)
      // The offsets in the fixture do not include bit-fields and members without a name.
      var remainingOffsets = members?.filter { !isBitField($0.field.type) }.map(\.byteOffset) ?? []
      for offset in offsets.values.sorted() {
        guard let position = remainingOffsets.firstIndex(of: offset) else {
          XCTFail("no member at \(offset) in \(line.encoding)")
          continue
        }
        remainingOffsets.remove(at: position)
      }
      count += 1
    }
    XCTAssertGreaterThan(count, 200)
  }

  func testMembersOfInstanceVariablesHaveDeclaredNames() throws {
    var count = 0
    for line in try Line.all() {
      guard line.kind == "ivar", let fields = line.fields else { continue }
      let type = try TypeEncoding(parsing: line.encoding)
      let members: [TypeEncoding.Field]
      switch type {
      case .structure(_, let fields?), .union(_, let fields?): members = fields
      default: continue
      }
      guard members.contains(where: { $0.name != nil }) else { continue }
      XCTAssertEqual(members.map(\.name), fields.map(Optional.some), line.encoding)
      count += 1
    }
    XCTAssertGreaterThan(count, 100)
  }

  func testSignaturesMatchDeclarationsAndComputedOffsets() throws {
    var computedCount = 0
    for line in try Line.all() {
      guard line.kind == "method", let signature = line.signature, !line.isAmbiguous else { continue }
      let method = try MethodType(parsing: line.encoding)
      let parts =
        [(method.result, method.frameSize)] + method.arguments.map { ($0.type, $0.offset) }
      XCTAssertEqual(parts.map(\.0.description), signature.map(\.type), line.encoding)
      XCTAssertEqual(parts.map { $0.1?.value }, signature.map(\.offset), line.encoding)
      XCTAssertEqual(method.frameSize?.value, line.size.map(Int.init), line.encoding)
      let target = try XCTUnwrap(TargetABI(triple: line.target))
      let areExact = method.arguments.allSatisfy { $0.type.layout(for: target)?.isExact ?? false }
      guard areExact, !line.hasHiddenLayout else { continue }
      XCTAssertEqual(
        method.hasComputedOffsets(for: target), true, "\(line.encoding) on \(line.target): \(line.source)")
      computedCount += 1
    }
    XCTAssertGreaterThan(computedCount, 350)
  }

  func testPropertyAttributesMatchTheDeclarations() throws {
    for line in try Line.all() {
      guard let truth = line.truth else { continue }
      let attributes = try PropertyAttributes(parsing: line.encoding)
      XCTAssertEqual(attributes.type?.description, truth.enc, line.encoding)
      XCTAssertEqual(attributes.isReadOnly, truth.readonly ?? false, line.encoding)
      XCTAssertEqual(attributes.isCopied, truth.copy ?? false, line.encoding)
      XCTAssertEqual(attributes.isRetained, truth.retain ?? false, line.encoding)
      XCTAssertEqual(attributes.isWeak, truth.weak ?? false, line.encoding)
      XCTAssertEqual(attributes.isNonatomic, truth.nonatomic ?? false, line.encoding)
      XCTAssertEqual(attributes.isDynamic, truth.dynamic ?? false, line.encoding)
      if line.lang != "swift" {
        XCTAssertEqual(attributes.isOptional, truth.optional ?? false, line.encoding)
      }
      XCTAssertEqual(attributes.getter, truth.getter, line.encoding)
      XCTAssertEqual(attributes.setter, truth.setter, line.encoding)
      XCTAssertEqual(attributes.ivar, truth.ivar, line.encoding)
      XCTAssertEqual(attributes.unknownAttributes, [], line.encoding)
      let made = PropertyAttributes(
        type: attributes.type ?? .uncoded, flags: attributes.flags, getter: truth.getter,
        setter: truth.setter, ivar: truth.ivar, order: line.lang == "swift" ? .swift : .clang)
      XCTAssertEqual(made.description, line.encoding)
    }
  }

  private func isBitField(_ type: TypeEncoding) -> Bool {
    if case .bitField = type { true } else { false }
  }
}

extension CompilerDataTests {
  /// A line of the file. `Fixtures/README.md` explains its fields.
  fileprivate struct Line: Decodable {
    let kind: String
    let encoding: String
    let target: String
    let source: String
    let lang: String?
    let size: UInt64?
    let align: UInt64?
    let lay: Int?
    let off: [String: UInt64]?
    let fields: [String]?
    let plain: String?
    let amb: Bool?
    let truth: Truth?
    private let sig: [Part]?

    struct Truth: Decodable {
      let enc: String
      let readonly: Bool?
      let copy: Bool?
      let retain: Bool?
      let weak: Bool?
      let nonatomic: Bool?
      let dynamic: Bool?
      let optional: Bool?
      let getter: String?
      let setter: String?
      let ivar: String?
    }

    struct Part: Decodable {
      let type: String
      let offset: Int?

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        type = try container.decode(String.self)
        offset = try container.decode(Int?.self)
      }
    }

    var signature: [Part]? { sig }
    var isAmbiguous: Bool { amb ?? false }
    /// Whether the layout depends on parts of the declaration that the encoding does not contain.
    var hasHiddenLayout: Bool {
      ["packed", "aligned", "enum ", "virtual", "_BitInt", "matrix", "f4", "d2"].contains {
        source.contains($0)
      }
    }

    var expectedKind: ObjectiveCEncoding.Kind {
      switch kind {
      case "encode", "ivar": .type
      case "property": .property
      default: .method
      }
    }

    static func all() throws -> [Line] {
      let url = Repository.fixtures.appendingPathComponent("encodings.jsonl")
      let decoder = JSONDecoder()
      return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map {
        try decoder.decode(Line.self, from: $0)
      }
    }
  }
}
