import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import XCTest

/// JSON values at the maximum depth, on a small stack.
final class DeepJSONValueTests: XCTestCase {
  private static let depth = JSONValue.maximumDepth

  private static let texts = [
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
    String(repeating: "{\"a\":", count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1),
    String(repeating: "[0,{\"a\":", count: depth / 2) + "null" + String(repeating: "}]", count: depth / 2),
  ]

  func testDeepJSONValuesAreProcessedOnSmallStack() throws {
    for text in Self.texts {
      try onSmallStack {
        let limits = JSONLimits(depth: Self.depth)
        var value: JSONValue? = try JSONValue(parsing: text, limits: limits)
        var other: JSONValue? = try JSONValue(parsing: text.replacing("0", with: "0"), limits: limits)
        XCTAssertEqual(value, other)
        XCTAssertEqual(value.hashValue, other.hashValue)
        XCTAssertEqual(value?.description, text)
        XCTAssertEqual(Set([value, other]).count, 1)
        XCTAssertEqual("\(JSONValue.array([value ?? .null]))".utf8.count, text.utf8.count + 2)
        var copy = value
        copy?["a"]?["a"] = 1
        XCTAssertEqual(copy == value, text.first == "[")
        (value, other, copy) = (nil, nil, nil)
      }
    }
  }

  func testErrorForTooDeepJSONNamesTheLimit() {
    let text = String(repeating: "[", count: 1001) + String(repeating: "]", count: 1001)
    XCTAssertThrowsError(try JSONValue(parsing: text, limits: JSONLimits(depth: 5000))) { error in
      XCTAssertTrue("\(error)".contains("nested more than 1000 levels deep"), "\(error)")
    }
    let document = try? JSONDocument(text, limits: JSONLimits(depth: 5000))
    let value = document.map { JSONValue($0.root) }
    XCTAssertEqual(value?.description.utf8.count, 2002)
  }

  func testDeepPropertyValuesRoundTripOnSmallStack() throws {
    let reader = ModelReader(limits: JSONLimits(depth: 1200))
    let writer = ModelWriter(sortsKeys: true, maximumDepth: 1200)
    for text in Self.texts {
      try onSmallStack {
        let json = "{\"value\":\(text)}"
        let box = try reader.read(DeepJSONBox.self, from: json)
        XCTAssertEqual(try writer.text(of: box), json)
        let copy = try Unarchiver().unarchive(DeepJSONBox.self, from: Archiver().archive(box))
        XCTAssertEqual(copy.value, box.value)
      }
    }
  }

  func testDeepCodableValueRoundTripsOnSmallStack() throws {
    let text = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    try onSmallStack {
      let value = try CodableValue<DeepList>(json: text)
      XCTAssertEqual(try value.json(), text)
    }
  }

  func testTooDeepRecursiveValuesAreRefused() throws {
    func text(_ depth: Int) -> String {
      "{\"branch\": " + String(repeating: "{\"branches\": [", count: depth) + "{}"
        + String(repeating: "]}", count: depth) + "}"
    }
    let reader = ModelReader(limits: JSONLimits(depth: 1_000_000))
    try onSmallStack {
      XCTAssertEqual(try reader.read(DeepBranchOwner.self, from: text(400)).branch.depth, 401)
      for depth in [1001, 200_000] {
        XCTAssertThrowsError(try reader.read(DeepBranchOwner.self, from: text(depth))) {
          XCTAssertTrue("\($0)".contains("1000"), "\($0)")
          XCTAssertLessThan("\($0)".utf8.count, 20_000)
        }
      }
    }
  }

  func testDeepModelIsDescribedOnASmallStack() throws {
    let owner = DeepBranchOwner()
    for level in 0..<120 {
      owner.branch = DeepBranch(branches: [owner.branch])
      owner.spine = .bone(owner.spine, level: level)
    }
    try onSmallStack {
      let description = owner.modelDescription
      XCTAssertTrue(description.hasPrefix("DeepBranchOwner #1 { branch: (branches: [("), description)
      XCTAssertTrue(description.contains("…"), description)
      XCTAssertLessThan(description.utf8.count, 5000)
    }
    owner.spine = .end
    (owner.branch, owner.text) = (DeepBranch(), String(repeating: "long", count: 1 << 20))
    XCTAssertLessThan(owner.modelDescription.utf8.count, 11_000)
  }

  func testDuplicateMembersOfAValueAreReported() throws {
    let texts = [
      "{\"value\": {\"a\": 1, \"a\": 2}}", "{\"value\": [0, {\"b\": {\"a\": 1, \"c\": 2, \"\\u0061\": 3}}]}",
    ]
    for text in texts {
      XCTAssertThrowsError(try DeepJSONBox(json: text), text) {
        XCTAssertTrue("\($0)".contains("a second member with the same name"), "\($0)")
      }
    }
    let (box, issues) = try ModelReader(.lenient).readWithIssues(DeepJSONBox.self, from: texts[0])
    XCTAssertEqual(box.value, ["a": 2])
    XCTAssertEqual(issues.map(\.code), [.duplicateKey])
    XCTAssertNoThrow(try DeepJSONBox(json: "{\"value\": [{\"a\": 1}, {\"a\": 2}]}"))
  }

  func testEqualityIgnoresOrderButNotNamesOfMembers() {
    let left: JSONValue = ["a": 1, "b": ["c": [1, 2], "d": nil]]
    let right: JSONValue = ["b": ["d": nil, "c": [1, 2]], "a": 1]
    XCTAssertEqual(left, right)
    XCTAssertEqual(left.hashValue, right.hashValue)
    for other in [
      ["a": 1, "b": ["c": [2, 1], "d": nil]], ["a": 1, "b": ["c": [1, 2]]],
      ["a": 1, "c": ["c": [1, 2], "d": nil]],
      ["a": 1, "b": [1, 2]], ["a": true, "b": ["c": [1, 2], "d": nil]], nil, [], "a",
    ] as [JSONValue] {
      XCTAssertNotEqual(left, other)
      XCTAssertNotEqual(other, left)
    }
    XCTAssertNotEqual(["e\u{301}": 1] as JSONValue, ["\u{e9}": 1], "names are bytes")
  }
}

@Archivable struct DeepBranch {
  var branches: [DeepBranch] = []
  var depth: Int {
    var (depth, last) = (1, self)
    while let next = last.branches.first { (depth, last) = (depth + 1, next) }
    return depth
  }
}

@Archivable indirect enum DeepSpine {
  case end
  case bone(DeepSpine, level: Int)
}

@Archivable final class DeepBranchOwner {
  var branch = DeepBranch()
  var spine = DeepSpine.end
  var text = ""
  init() {}
}

/// A type that contains only lists of itself.
struct DeepList: Codable {
  var lists: [DeepList]
  init(from decoder: any Decoder) throws {
    lists = try decoder.singleValueContainer().decode([DeepList].self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(lists)
  }
}

@Archivable("DeepJSONBox") final class DeepJSONBox {
  var value: JSONValue = .null
  init() {}
}
