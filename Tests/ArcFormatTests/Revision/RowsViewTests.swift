import ArcRuntime
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class RowsViewTests: XCTestCase {
  /// A file with ten nodes in odd rows and ten leaves in even rows. Each node refers to the leaf after it.
  private func file() throws -> ArchiveFile {
    let builder = try ArchiveBuilder(roots: [.init("all", type: #"$[@"Node"]"#)])
    try builder.addClass("Node", properties: [.init("leaf", attributes: #"T@"Leaf",&,N,V_leaf"#)])
    try builder.addClass("Leaf", properties: [.init("number", type: "q")])
    var nodes: [ArchiveValue] = []
    for index in 0..<10 {
      let node = try builder.reserveObject(ofClass: "Node")
      let leaf = try builder.reserveObject(ofClass: "Leaf")
      try builder.setValues(["leaf": .reference(leaf)], of: node)
      try builder.setValues(["number": .integer(Int128(index))], of: leaf)
      nodes.append(.reference(node))
    }
    try builder.setRoots(["all": .array(nodes)])
    let file = try ArchiveFile(bytes: builder.finish())
    try file.verify()
    return file
  }

  /// Checks that all functions of a view agree about each row. Returns the name of the class of each row.
  private func checkedNames(of view: RowsView) throws -> [String?] {
    let rowClasses = try view.rowClasses()
    return try (0..<view.rowCount).map { row in
      let name = view.className(ofRow: row)
      guard let (group, rowInClass) = try view.location(ofRow: row) else {
        XCTAssertNil(name, "row \(row)")
        XCTAssertEqual(rowClasses[row], 0, "row \(row)")
        return nil
      }
      XCTAssertEqual(view.classes[group.classIndex].name, name, "row \(row)")
      XCTAssertEqual(rowClasses[row], group.classIndex, "row \(row)")
      XCTAssertEqual(view.segment(ofRow: row), group.segment, "row \(row)")
      XCTAssertLessThan(rowInClass, try XCTUnwrap(view.rows(of: group)).rowCount, "row \(row)")
      return name
    }
  }

  func testViewWithoutChangesEqualsTheFile() throws {
    let file = try file()
    let view = RowsView(of: file)
    XCTAssertFalse(view.isRevised)
    XCTAssertFalse(view.isPart)
    XCTAssertEqual(view.segments, file.rowsSegments)
    XCTAssertEqual(view.rowCounts, [1, 10, 10])
    XCTAssertEqual(
      try checkedNames(of: view),
      [ClassDescription.rootsName] + (0..<20).map { $0 % 2 == 0 ? "Node" : "Leaf" })
    for row in 0..<view.rowCount {
      XCTAssertEqual(view.segment(ofRow: row), file.rowsSegment(ofRow: row))
      XCTAssertEqual([view.target(ofRow: row), view.fileRow(row)], [row, row])
      XCTAssertFalse(view.isNew(row))
    }
    XCTAssertNil(view.segment(ofRow: 21))
    view.forEachUnreferencedRow { XCTFail("row \($0)") }
  }

  func testViewCanOmitReplaceAndRedirectRows() throws {
    let file = try file()
    let twig = ColumnDescription(
      declaringClassIndex: 0, key: "length",
      attributes: PropertyAttributes(type: .scalar(.longLong), flags: [], ivar: nil), flags: [])
    let new = try NewRows(ClassDescription(name: "Twig", superclassIndex: nil, columns: [twig]))
    for id in [6, 21] as [UInt32] { new.add(ObjectID(rawValue: id), [.integer(7)]) }
    // A twig replaces leaf 6, and node 5 replaces node 3. All other leaves are omitted.
    let view = try RowsView(of: file, omitting: [2], new: [new], redirected: [3: 5])
    XCTAssertEqual(view.rowCounts, [1, 10, 0, 2])
    var names: [String?] = [ClassDescription.rootsName] + (0..<20).map { $0 % 2 == 0 ? "Node" : nil }
    names.append("Twig")
    (names[3], names[6]) = (nil, "Twig")
    XCTAssertEqual(try checkedNames(of: view), names)
    XCTAssertEqual([2, 3, 5, 6, 21].map(view.target(ofRow:)), [0, 5, 5, 6, 21])
    XCTAssertEqual((0..<view.rowCount).filter(view.isNew), [6, 21])
    var unreferenced: [Int] = []
    view.forEachUnreferencedRow { unreferenced.append($0) }
    XCTAssertEqual(unreferenced, [2, 3, 4] + (8...20).filter { $0 % 2 == 0 })
    var targets: [Int] = []
    let rowClasses = try view.rowClasses()
    try view.forEachSegment(ofClass: 1) { _, rows in
      rowClasses.forEachTarget(of: try XCTUnwrap(rows.chunks[0])) { row, classIndex in
        targets.append(row)
        XCTAssertEqual(classIndex, 3)
      }
    }
    XCTAssertEqual(targets, [6])
    let roots = try XCTUnwrap(view.rootRow())
    var ends: [Int] = []
    for case let chunk? in roots.chunks where chunk.count == 10 {
      rowClasses.forEachTarget(of: chunk) { row, _ in ends.append(row) }
    }
    XCTAssertEqual(ends, [1, 5, 5, 7, 9, 11, 13, 15, 17, 19])
  }

  func testClassesAreKnownOnlyForRequestedRows() throws {
    let file = try file()
    var table = RowClasses(ofRows: 3..<6)
    for segment in file.rowsSegments { table.add(try file.rows(inSegment: segment)) }
    XCTAssertEqual((3..<6).map { table[$0] }, [1, 2, 1])
  }
}
