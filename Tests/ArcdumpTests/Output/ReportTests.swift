import XCTest

@testable import ArcInspection

/// Reports printed as text and as JSON.
final class ReportTests: XCTestCase {
  private struct Failure: Error {}

  private func printed(for reader: Report.Reader, _ build: (inout Report) throws -> Void) throws -> String {
    var bytes: [UInt8] = []
    let output = Output { bytes += $0 }
    let report = Report(for: reader, build)
    do {
      if reader == .program {
        let json = JSONOutput(output: output, byteLimit: .max)
        try json.object { try json.write(report) }
      } else {
        let style = Style(isColored: false)
        try Page(output: output, style: style, isOnTerminal: false, progress: nil).write(report)
      }
    } catch is Failure {
      try output.write("failure")
    }
    try output.flush()
    return String(decoding: bytes, as: UTF8.self)
  }

  func testTextTableHasTitlesAndJSONHasKeys() throws {
    func build(_ report: inout Report) {
      report.table(
        "files", [("a", 5), ("\u{1B}", 1234)], level: 1,
        [
          Column("name", "file") { $0.0 }, Column("bytes", "size") { $0.1 },
          Column("isLarge") { $0.1 > 1000 },
          Column(nil, "note") { $0.1 > 1000 ? Words("large").reportValue : .absent },
        ], total: [Words("total"), 1239])
    }
    XCTAssertEqual(
      try printed(for: .text, build),
      """
        file     size  note
        a           5
        \\u{1b}  1,234  large
        total   1,239

      """)
    XCTAssertEqual(
      try printed(for: .program, build).filter { !$0.isWhitespace },
      #"{"files":[{"name":"a","bytes":5,"isLarge":false},{"name":"\u001b","bytes":1234,"isLarge":true}]}"#)
  }

  func testFieldsAndNestedReportsBecomeTextAndJSON() throws {
    func build(_ report: inout Report) {
      report.line("two fields")
      report.members(["format": "arc"])
      report.fields(
        level: 1, [Field("length", "long", 2), Field(nil, "path", "root"), Field("none", nil, Int?.none)])
      report.list("parts", 1...2) { number, entry in
        entry.line("part \(number)")
        entry.members(["number": number, "left": ReportValue.absent])
      }
      report.group("lost") { $0.fields(level: 0, [Field("count", "lost", 0)]) }
    }
    XCTAssertEqual(
      try printed(for: .text, build), "two fields\n  long     2\n  path  root\npart 1\npart 2\nlost  0\n")
    let json = try printed(for: .program, build).filter { !$0.isWhitespace }
    XCTAssertEqual(
      json, #"{"format":"arc","length":2,"none":null,"parts":[{"number":1},{"number":2}],"lost":{"count":0}}"#
    )
  }

  func testLinesBeforeAnErrorArePrinted() throws {
    func build(_ report: inout Report) throws {
      report.line("first")
      throw Failure()
    }
    XCTAssertEqual(try printed(for: .terminal, build), "first\nfailure")
  }
}
