import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

/// Each form of a JSON text gives the same object, or the same issues.
final class ReadingStrategyTests: XCTestCase {
  private let writer = ModelWriter(sortsKeys: true, nulls: .written, nonFinite: .text)

  // MARK: Random JSON

  func testRandomObjectsAreReadEquallyFromAllSources() {
    let (seed, fullCount) = (RandomTrials.seed(), 40)
    var texts = WaysTexts(seed: seed)
    var tally = Tally()
    let trialCount = RandomTrials.count(usually: 2, exhaustively: fullCount)
    for _ in 0..<trialCount {
      for model in WaysModel.allCases {
        let sample = texts.next(of: model)
        for mode in [ModelReader.Mode.strict, .lenient] {
          for unknownKeys in [ModelReader.UnknownKeys.ignored, .reported] {
            let options = Options(mode: mode, unknownKeys: unknownKeys, seed: seed)
            compare(model.type, sample, options, &tally)
            guard tally.failures < 10 else { return }
          }
        }
      }
    }
    guard trialCount >= fullCount else { return }
    XCTAssertGreaterThanOrEqual(tally.comparisons, 10_000)
    XCTAssertGreaterThan(tally.objects, tally.readings / 5, "readings without issues")
    XCTAssertGreaterThan(tally.readings - tally.objects, tally.readings / 5, "readings with issues")
  }

  private struct Options {
    let mode: ModelReader.Mode
    let unknownKeys: ModelReader.UnknownKeys
    let seed: UInt64

    func reader(references: ModelReferences = []) -> ModelReader {
      ModelReader(mode, references: references, unknownKeys: unknownKeys)
    }

    /// A new reader that shares no plans with other readers, because plans with functions cannot be compared.
    /// Therefore, it always tries to read without an index first.
    var unsharedReader: ModelReader { ModelReader(mode, naming: .custom { $0 }, unknownKeys: unknownKeys) }
  }

  private struct Tally {
    var comparisons = 0
    var readings = 0
    /// The number of readings that returned an object without issues.
    var objects = 0
    var failures = 0
  }

  /// Compares the result of each source with the result of a document.
  private func compare<Model: Archivable>(
    _ type: Model.Type, _ sample: WaysText, _ options: Options, _ tally: inout Tally
  ) {
    let expected = documentOutcome(type, sample.text, options.reader())
    var others = plainOutcomes(type, sample.text, options) + nestedOutcomes(type, sample.text, options)
    if let value = try? JSONValue(parsing: sample.text) {
      others.append(("a value", outcome(type, value, options.reader())))
    }
    tally.readings += 1
    if expected.isObjectWithoutIssues {
      tally.objects += 1
      if options.mode == .strict, !sample.repeatsNames {
        others.append(("members in the opposite order", outcome(type, sample.turned, options.reader())))
      }
      // Readers with references reject classes that change their JSON.
      if !(type is any JSONPreprocessing.Type) {
        others.append(("references", outcome(type, sample.text, options.reader(references: .marked))))
      }
    }
    tally.comparisons += others.count
    for (name, outcome) in others where outcome != expected {
      tally.failures += 1
      XCTFail(
        """
        \(name): \(type), \(options.mode), unknown members \(options.unknownKeys), seed \(options.seed)
        \(sample.text)
        \(outcome)
        instead of
        \(expected)
        """)
    }
  }

  /// Returns the results for the text itself.
  private func plainOutcomes<Model: Archivable>(
    _ type: Model.Type, _ text: String, _ options: Options
  ) -> [(name: String, outcome: Outcome)] {
    let reader = options.reader()
    return [
      ("a text", outcome(type, text, reader)), ("bytes", outcome(type, Array(text.utf8), reader)),
      ("data", outcome(type, Data(text.utf8), reader)), ("the same reader", outcome(type, text, reader)),
      ("another reader", outcome(type, text, options.reader())),
      ("a reader that shares nothing", outcome(type, Array(text.utf8), options.unsharedReader)),
    ]
  }

  /// Returns the results for JSON texts that contain the text.
  private func nestedOutcomes<Model: Archivable>(
    _ type: Model.Type, _ text: String, _ options: Options
  ) -> [(name: String, outcome: Outcome)] {
    let reader = options.reader()
    let envelope = "{\"other\": [1], \"data\": \(text)}"
    var outcomes: [(name: String, outcome: Outcome)] = [
      ("an envelope", outcome(type, envelope, reader, at: "data")),
      ("an array", lastElement(type, "[\(text)]", reader)),
      (
        "a dictionary",
        outcome(under: "data") {
          let (objects, issues) = try reader.readWithIssues([String: Model].self, from: "{\"data\": \(text)}")
          return (try objects["data"].map { try description(of: $0) }, issues)
        }
      ),
    ]
    if options.mode == .strict {
      // The reader knows the initial values of properties only after several objects.
      let list = "[" + Array(repeating: text, count: 20).joined(separator: ", ") + "]"
      outcomes.append(("the last of many elements", lastElement(type, list, options.unsharedReader)))
    }
    return outcomes
  }

  private func outcome<Model: Archivable>(
    _ type: Model.Type, _ source: some ModelSource, _ reader: ModelReader, at path: String? = nil
  ) -> Outcome {
    outcome(under: path ?? "") {
      let (object, issues) = try reader.readWithIssues(type, from: source, at: path)
      return (try description(of: object), issues)
    }
  }

  private func documentOutcome<Model: Archivable>(
    _ type: Model.Type, _ text: String, _ reader: ModelReader
  ) -> Outcome {
    outcome(under: "") {
      let document = try JSONDocument(text, duplicateKeys: .last)
      let (object, issues) = try reader.readWithIssues(type, from: document)
      return (try description(of: object), issues)
    }
  }

  /// Returns the result for the last element of an array, with the issues of the first element.
  private func lastElement<Model: Archivable>(
    _ type: Model.Type, _ text: String, _ reader: ModelReader
  ) -> Outcome {
    outcome(under: "[0]") {
      let (objects, issues) = try reader.readWithIssues([Model].self, from: text)
      return (try objects.last.map { try description(of: $0) }, issues)
    }
  }

  /// Returns the JSON of an object, and all its archived values, because JSON does not contain all of them.
  private func description(of object: some Archivable) throws -> String {
    try writer.text(of: object) + "\n" + object.modelDescription
  }

  /// Returns the result of a reading. Its paths omit the path of the object. `read` returns the description
  /// of the object (nil if the reader skipped it) and the issues.
  private func outcome(
    under prefix: String, _ read: () throws -> (object: String?, issues: [ModelIssue])
  ) -> Outcome {
    do {
      let (object, issues) = try read()
      return Outcome(object: object, issues: issues.map { Outcome.Issue($0, under: prefix) })
    } catch let error as ModelReadingError {
      return Outcome(issues: error.issues.map { Outcome.Issue($0, under: prefix) })
    } catch {
      return Outcome(error: error is JSONError ? "JSONError" : "\(error)")
    }
  }

  // MARK: Given JSON

  func testLateErrorGivesEqualIssueFromAllSources() throws {
    func object(_ id: Int, tags: String) -> String {
      #"{"id":\#(id),"name":"é","isOpen":true,"ratio":1,"level":2,"tags":\#(tags),"counts":{},"created":0}"#
    }
    let objects = (0..<199).map { object($0, tags: #"["a"]"#) } + [object(199, tags: #"["a",{}]"#)]
    let bytes = Array("[\(objects.joined(separator: ",\n"))]".utf8)
    let document = try JSONDocument(bytes)
    let reader = ModelReader(.lenient)
    let one = try reader.readWithIssues([WaysConstants].self, from: bytes)
    let other = try reader.readWithIssues([WaysConstants].self, from: document)
    XCTAssertEqual(one.issues, other.issues)
    XCTAssertEqual(one.issues.map(\.path), ["[199].tags[1]"])
    XCTAssertEqual(one.issues.first?.line, 200)
    XCTAssertEqual(one.value.map(\.id), Array(0..<200))
    XCTAssertEqual(try writer.text(of: one.value), try writer.text(of: other.value))
    var errors: [ModelReadingError] = []
    for read in [
      { try ModelReader().read([WaysConstants].self, from: bytes) },
      { try ModelReader().read([WaysConstants].self, from: document) },
    ] {
      XCTAssertThrowsError(try read()) { error in
        if let error = error as? ModelReadingError { errors.append(error) }
      }
    }
    XCTAssertEqual(errors.map(\.issues), [one.issues, one.issues])
  }

  func testHookErrorIsThrownOrReportedAsIssue() throws {
    let part = #"{"parts":[{"level":1},{"level":-1}],"level":2}"#
    let root = #"{"parts":[{"level":1}],"level":-2}"#
    typealias Reading = (ModelReader, String) throws -> (value: WaysOrder, issues: [ModelIssue])
    let readings: [Reading] = [
      { try $0.readWithIssues(WaysOrder.self, from: $1) },
      { try $0.readWithIssues(WaysOrder.self, from: Array($1.utf8)) },
      { try $0.readWithIssues(WaysOrder.self, from: JSONDocument($1, duplicateKeys: .last)) },
    ]
    for read in readings {
      for (text, level) in [(part, -1), (root, -2)] {
        XCTAssertThrowsError(try read(ModelReader(), text)) {
          XCTAssertEqual($0 as? WaysRefusal, WaysRefusal(level: level))
        }
      }
      let (order, issues) = try read(ModelReader(.lenient), part)
      XCTAssertEqual(order.parts.map(\.level), [1])
      XCTAssertEqual(order.total, 2)
      XCTAssertEqual(issues.map(\.path), ["parts[1]"])
      XCTAssertEqual(issues.map { $0.underlyingError as? WaysRefusal }, [WaysRefusal(level: -1)])
      XCTAssertThrowsError(try read(ModelReader(.lenient), root)) { error in
        let issues = (error as? ModelReadingError)?.issues
        XCTAssertEqual(issues?.map(\.path), [""])
        XCTAssertEqual(issues?.first?.underlyingError as? WaysRefusal, WaysRefusal(level: -2))
      }
    }
  }

  func testEachHookReceivesUserInfoOfItsReader() throws {
    let text = #"{"name":"Eve"}"#
    weak var former: WaysHost?
    func assertHosts(_ mode: ModelReader.Mode) throws {
      let (ada, bob) = (WaysHost("Ada"), WaysHost("Bob"))
      former = bob
      let readers = [
        ModelReader(mode, userInfo: [.waysHost: ada]), ModelReader(mode, userInfo: [.waysHost: bob]),
        ModelReader(mode),
      ]
      for _ in 0..<3 {
        let document = try JSONDocument(text)
        let fromTexts = try readers.map { try $0.read(WaysGuest.self, from: text).hostName }
        let fromDocuments = try readers.map { try $0.read(WaysGuest.self, from: document).hostName }
        XCTAssertEqual(fromTexts, ["Ada", "Bob", "none"])
        XCTAssertEqual(fromDocuments, ["Ada", "Bob", "none"])
        // A failed reading must not retain the values either.
        XCTAssertThrowsError(try readers[1].read(WaysGuest.self, from: #"{"name":"Eve""#))
      }
    }
    for mode in [ModelReader.Mode.strict, .lenient] {
      try assertHosts(mode)
      XCTAssertNil(former, "\(mode)")
    }
  }
}

/// The result of a reading, without the location of issues in the text.
private struct Outcome: Equatable {
  /// The description of the object; nil if there is no object.
  var object: String?
  var issues: [Issue] = []
  /// An error that has no issues.
  var error: String?

  var isObjectWithoutIssues: Bool { object != nil && issues.isEmpty }

  struct Issue: Equatable {
    let code: ModelIssue.Code
    let path: String
    let found: String
    let expected: String?

    init(_ issue: ModelIssue, under prefix: String) {
      (code, found, expected) = (issue.code, issue.found, issue.expected)
      let rest = issue.path.dropFirst(prefix.count)
      if !issue.path.hasPrefix(prefix) {
        path = "outside of the object: \(issue.path)"
      } else {
        path = String(rest.first == "." && !prefix.isEmpty ? rest.dropFirst() : rest)
      }
    }
  }
}

extension Outcome: CustomStringConvertible {
  var description: String {
    let lines = issues.map { "\($0.code) at '\($0.path)': \($0.found), expected \($0.expected ?? "-")" }
    return ([object ?? error ?? "no object"] + lines).joined(separator: "\n")
  }
}
