import ArcArchive
import ArcTestSupport
import XCTest

@testable import ArcFormat
@testable import ArcInspection

/// All parsers of paths accept each path that errors and commands print, and select the printed value.
final class PathRoundTripTests: XCTestCase {
  func testEachReaderResolvesEachValuePath() throws {
    try forEachArchive { file, what in
      var count = 0
      try forEachValue(of: file) { path, value in
        count += 1
        XCTAssertEqual(try ValuePath(parsing: path.description), path, what)
        try assertReaders(of: file, find: value, at: path.description, what)
        let short = path.start.shortText + path.steps.shortText
        if short != path.description { try assertReaders(of: file, find: value, at: short, what) }
      }
      XCTAssertGreaterThan(count, 10, what)
    }
  }

  func testObjectPathsInErrorsSelectTheirObjects() throws {
    try forEachArchive { file, what in
      for row in 1..<file.rowCount {
        let path = try XCTUnwrap(file.objectPath(toRow: row) { _ in false }, what)
        guard path.text.count <= Self.maximumLength else { continue }
        let value = ArchiveValue.reference(ObjectID(rawValue: UInt32(row)))
        try assertReaders(of: file, find: value, at: path.text, what)
      }
    }
  }

  func testValuePathsInErrorsSelectTheirValues() throws {
    try forEachArchive { file, what in
      let layout = file.layouts[0]
      let set = ColumnReaderSet(
        layout, sources: layout.nodes.indices.map { ResolvedColumn(identity: $0, in: layout) },
        locations: file.classes[0].columns.map { ColumnLocation(className: "", key: $0.key) },
        strings: try file.strings(), context: nil)
      for (rows, _) in RowGroups(try file.rows(inSegment: file.rowsSegments[0])) where rows.classIndex == 0 {
        set.bind(rows.chunks)
        for node in layout.nodes.indices where layout.nodes[node].kind == .string {
          for index in 0..<set.count(ofNode: node) {
            let root = file.classes[0].columns[layout.root(of: node)].key
            let path = ObjectPath(to: root, set.steps(to: ValueLocation(node: node, index: index)))
            let text = try XCTUnwrap(set.text(index, ofNode: node), what)
            guard path.text.count <= Self.maximumLength else { continue }
            try assertReaders(of: file, find: .string(text), at: path.text, what)
          }
        }
      }
    }
  }

  /// The maximum number of characters of the steps in one object. Errors truncate longer steps, so only
  /// shorter paths are complete.
  private static let maximumLength = 240

  // MARK: Archives

  private func forEachArchive(_ body: (ArchiveFile, String) throws -> Void) throws {
    let seed = RandomTrials.seed()
    for number in 0..<RandomTrials.count(usually: 25, exhaustively: 1_000) {
      var values = NamedValues(seed: seed &+ UInt64(number))
      let what = "NamedValues(seed: \(seed &+ UInt64(number)))"
      do { try body(ArchiveFile(verifying: values.bytes()), what) } catch {
        XCTFail("\(what): \(error)")
      }
    }
  }

  /// Calls `body` with each value of a file and its path, from the roots and from each object.
  private func forEachValue(of file: ArchiveFile, _ body: (ValuePath, ArchiveValue) throws -> Void) throws {
    for row in 0..<file.rowCount {
      let object = try file.object(ObjectID(rawValue: UInt32(row)))
      for property in object.properties {
        let step = file.step(to: property, ofClass: object.classIndex)
        let path =
          row == 0
          ? ValuePath(start: .root(ValuePath.Name(property.key)))
          : ValuePath(start: .object(object.id), steps: [step])
        try visit(property.value, path, body)
      }
    }
  }

  private func visit(
    _ value: ArchiveValue, _ path: ValuePath, _ body: (ValuePath, ArchiveValue) throws -> Void
  ) throws {
    func visit(_ value: ArchiveValue, _ steps: [ValuePath.Step]) throws {
      try self.visit(value, ValuePath(start: path.start, steps: path.steps + steps), body)
    }
    if case .structure(_, let fields) = value, value.hasOnlyField {
      return try self.visit(fields[0].value, path, body)
    }
    try body(path, value)
    switch value {
    case .array(let elements), .set(let elements):
      for (index, element) in elements.enumerated() { try visit(element, [.element(index)]) }
    case .dictionary(let entries):
      for (index, entry) in entries.enumerated() {
        try visit(entry.value, .value(entry.key.keyStep, at: index))
        try visit(entry.key, .key(at: index))
      }
    case .structure(_, let fields):
      for (index, field) in fields.enumerated() { try visit(field.value, [.field(field.name, at: index)]) }
    case .enumeration(_, let name, let payload?): try visit(payload, [.name(name)])
    default: break
    }
  }

  private func assertReaders(
    of file: ArchiveFile, find value: ArchiveValue, at path: String, _ what: String
  ) throws {
    XCTAssertEqual(try file.value(atPath: path).value, value, "\(what): \(path)")
    var found: [ArchiveValue] = []
    try QueryRunner(ObjectCatalog(file)).forEachValue(of: QueryParser.path(path)) { value, _ in
      found.append(value.value)
      return true
    }
    XCTAssertEqual(found, [value], "\(what): \(path)")
  }
}
