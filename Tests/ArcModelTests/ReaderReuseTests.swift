import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

@Archivable("ReusedPart") private final class ReusedPart { var size = 0 }
@Archivable("ReusedWhole") private final class ReusedWhole {
  var partName = ""
  var sizes: [Int?] = []
  var part: ReusedPart?
  var parts: [ReusedPart] = []
  var when: Date?
}

private let texts = [
  #"{"partName": "a", "sizes": [1, null, 3], "part": {"size": 4}, "parts": [{"size": 5}, {}]}"#,
  #"{"partName": 7, "sizes": [1, "2"], "part": [], "parts": [null, {"size": "6"}], "when": "never"}"#,
  #"{"sizes": [], "part": null, "when": "2001-01-01T00:00:00Z"}"#, #"{"sizes": {}}"#, "[]", "{", "null",
  #"{"parts": [{"size": 99999999999999999999}]}"#, #"{"partName": "é\n", "parts": []}"#,
]

private func outcome(of text: String, _ reader: ModelReader) -> String {
  do {
    let (whole, issues) = try reader.readWithIssues(ReusedWhole.self, from: text)
    return "\(whole.modelDescription) \(issues)"
  } catch { return "\(error)" }
}

/// A reader caches information on classes from one text to the next, and nothing else.
final class ReaderReuseTests: XCTestCase {
  func testReusedReaderReadsLikeANewReader() throws {
    for mode in [ModelReader.Mode.strict, .lenient] {
      let kept = ModelReader(mode)
      for text in texts + texts.reversed() {
        XCTAssertEqual(outcome(of: text, kept), outcome(of: text, ModelReader(mode)), text)
      }
    }
  }

  func testReaderReadsOnSeveralThreadsConcurrently() {
    let reader = ModelReader(.lenient)
    let expected = texts.map { outcome(of: $0, ModelReader(.lenient)) }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for (text, expected) in zip(texts, expected) { XCTAssertEqual(outcome(of: text, reader), expected) }
    }
  }

  func testChangedReaderUsesItsNewOptions() throws {
    var reader = ModelReader()
    XCTAssertEqual(try reader.read(ReusedWhole.self, from: #"{"partName": "a"}"#).partName, "a")
    reader.naming = .snakeCase
    XCTAssertEqual(try reader.read(ReusedWhole.self, from: #"{"part_name": "b"}"#).partName, "b")
    reader.mode = .lenient
    XCTAssertEqual(try reader.read(ReusedWhole.self, from: #"{"part_name": 7}"#).partName, "7")
  }

  func testReaderRetainsNeitherInputNorObjects() throws {
    let reader = ModelReader(.lenient)
    weak var text: JSONDocument?
    weak var object: ReusedWhole?
    for source in texts {
      guard let document = try? JSONDocument(source) else { continue }
      let read = try? reader.read(ReusedWhole.self, from: document)
      (text, object) = (document, read)
      withExtendedLifetime((document, read)) {}
    }
    XCTAssertNil(text)
    XCTAssertNil(object)
  }
}
