import Arc
import ArcFormat
import ArcImport
import ArcTestSupport
import Foundation
import XCTest

/// Tables read as objects of the program's classes.
final class TableReadingTests: XCTestCase {
  private let importer = ArchiveImporter(classes: ClassTable(), limits: .untrusted)

  private func table(
    _ text: String, _ format: TableFormat = .csv, rows: (any Archivable.Type)? = nil,
    _ options: TableOptions = TableOptions()
  ) -> ImportTable {
    ImportTable(Data(text.utf8), format, rows: rows, options: options)
  }

  func testFieldsAreReadAsTheTypesOfProperties() throws {
    let text = """
      id,name,age,height,member,joined,code,balance
      007,,042,1.80,1,2026-11-23T12:00:00Z,00010203-0405-0607-0809-0a0b0c0d0e0f,1.10
      1.10,"a, b",,2,TRUE,,,1e2
      """
    let people = try importer.read([TablePerson].self, from: table(text))
    XCTAssertEqual(people.map(\.id), ["007", "1.10"])
    XCTAssertEqual(people.map(\.name), ["", "a, b"])
    XCTAssertEqual(people.map(\.age), [42, nil])
    XCTAssertEqual(people.map(\.height), [1.8, 2])
    XCTAssertEqual(people.map(\.isMember), [true, true])
    XCTAssertEqual(people[0].joined, Date(timeIntervalSince1970: 1_795_435_200))
    XCTAssertEqual(people[0].code, UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))
    XCTAssertEqual(people.map(\.balance), [Decimal(string: "1.1"), 100])
  }

  func testUnfittingFieldIsNamed() throws {
    let fields = [
      "age": "x", "height": "1,5", "member": "yes", "joined": "today", "code": "7", "balance": "-",
    ]
    for (key, field) in fields {
      let error = assertThrows(ImportError.self) {
        try importer.read([TablePerson].self, from: table("id;\(key)\n1;\(field)\n"))
      }
      XCTAssertEqual(error?.code, .typeMismatch, key)
      XCTAssertEqual([error?.line, error?.column], [2, 3], key)
      XCTAssertEqual(error?.key, key)
      XCTAssertEqual(error?.className, "TablePerson")
    }
  }

  func testReportContainsLostDigits() throws {
    var notes: [ImportReport.Note] = []
    let text = "id,height\n1,0.12345678901234567890\n2,1.10\n"
    let people = try importer.read([TablePerson].self, from: table(text)) { notes = $0.notes }
    XCTAssertEqual(people.map(\.height), [0.12345678901234568, 1.1])
    XCTAssertEqual(notes.map(\.kind), [.changedNumber])
    XCTAssertEqual(notes.first?.count, 1)
    XCTAssertTrue(notes.first?.example.contains("height") ?? false)
  }

  func testJSONObjectsBecomeNestedObjects() throws {
    let classes = ClassTable()
    try classes.register(TableAddress.self, formerly: "TableCustomer.address", "TableCustomer.others")
    let importer = ArchiveImporter(classes: classes)
    let text = """
      {"data": {"items": [
        {"name": "Ann", "address": {"street": "Elm"}, "tags": ["a", "b"], "scores": [1, 2.5]},
        {"name": "Bob", "address": null, "tags": [], "others": [{"street": "Oak"}, {"street": "Ash"}]}
      ]}}
      """
    let customers = try importer.read(
      [TableCustomer].self, from: table(text, .json, TableOptions(path: "data.items")))
    XCTAssertEqual(customers.map(\.name), ["Ann", "Bob"])
    XCTAssertEqual(customers.map { $0.address?.street }, ["Elm", nil])
    XCTAssertEqual(customers.map(\.tags), [["a", "b"], []])
    XCTAssertEqual(customers[0].scores, [1, 2.5])
    XCTAssertEqual(customers[1].others.map(\.street), ["Oak", "Ash"])
    let single = try importer.read(
      TableCustomer.self, from: table(text, .json, TableOptions(path: "data.items[1]")))
    XCTAssertEqual(single.name, "Bob")
  }

  func testWrongPathIsAnErrorWithTheMembers() throws {
    for (path, words) in [
      ("data.rows", "'items'"), ("x..y", "data.pages[0].items"), ("data[0]", "an array instead"),
    ] {
      let error = assertThrows(ImportError.self) {
        try importer.read(
          [TableCustomer].self, from: table("{\"data\": {\"items\": 7}}", .json, TableOptions(path: path)))
      }
      XCTAssertEqual(error?.code, .malformedTable, path)
      XCTAssertTrue("\(error as Any)".contains(words), "\(error as Any)")
    }
    let scalar = assertThrows(ImportError.self) {
      try importer.read(
        [TableCustomer].self,
        from: table("{\"data\": {\"items\": 7}}", .json, TableOptions(path: "data.items")))
    }
    XCTAssertTrue("\(scalar as Any)".contains("--at"), "\(scalar as Any)")
  }

  // MARK: Joins

  private static let people = ["a,Ann,", "b,Bob,c", "c,Cid,a"]
  private static let orders = ["1,b,5", "2,,0.5", "3,a,7", "4,b,1"]

  private func people(_ format: TableFormat) -> String {
    rows(Self.people, ["id", "name", "invited_by"], format)
  }

  private func rows(_ lines: [String], _ names: [String], _ format: TableFormat) -> String {
    guard format != .csv else { return ([names.joined(separator: ",")] + lines).joined(separator: "\n") }
    let objects = lines.map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let members = zip(names, fields).map { name, field in
        "\"\(name)\":" + (field.isEmpty ? "null" : Double(field) == nil ? "\"\(field)\"" : "\(field)")
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    return format == .json
      ? "[" + objects.joined(separator: ",") + "]" : objects.joined(separator: "\n")
  }

  /// Each pair of formats, in each order of the tables.
  func testJoinedTablesAreLinked() throws {
    let formats: [TableFormat] = [.csv, .json, .jsonLines]
    for one in formats {
      for other in formats {
        var tables = [
          table(people(one), one, rows: TablePerson.self),
          table(rows(Self.orders, ["number", "buyer", "total"], other), other, rows: TableOrder.self),
        ]
        for _ in 0..<2 {
          tables.reverse()
          let orders = try importer.read(
            [TableOrder].self, from: tables,
            joins: [
              TableJoin("buyer", of: "TableOrder", to: "id", of: "TablePerson"),
              TableJoin("invited_by", of: "TablePerson", to: "id", of: "TablePerson"),
            ])
          XCTAssertEqual(orders.map(\.number), [1, 2, 3, 4])
          XCTAssertEqual(orders.map { $0.buyer?.name }, ["Bob", nil, "Ann", "Bob"])
          XCTAssertTrue(orders[0].buyer === orders[3].buyer)
          XCTAssertEqual(orders.map(\.total), [5, 0.5, 7, 1])
        }
      }
    }
  }

  func testRowsReferToRowsOfTheSameTable() throws {
    let people = try importer.read(
      [TablePerson].self, from: [table(people(.csv))],
      joins: [TableJoin("invited_by", of: "TablePerson", to: "id", of: "TablePerson")])
    XCTAssertEqual(people.map { $0.inviter?.name }, [nil, "Cid", "Ann"])
    XCTAssertTrue(people[1].inviter === people[2])
  }

  func testIntegerAndItsTextAreTheSameKey() throws {
    let orders = try importer.read(
      [TableOrder].self,
      from: [
        table("number,buyer\n1,7\n", rows: TableOrder.self),
        table("id,name\n7,Ann\n", rows: TablePerson.self),
      ], joins: [TableJoin("buyer", of: "TableOrder", to: "id", of: "TablePerson")])
    XCTAssertEqual(orders[0].buyer?.name, "Ann")
  }

  func testBrokenJoinIsAnErrorAtItsRow() throws {
    func error(_ people: String, _ orders: String, _ join: TableJoin) -> ImportError? {
      assertThrows(ImportError.self) {
        try importer.archive(
          from: [
            ImportTable(Data(people.utf8), .csv, named: "people"),
            ImportTable(Data(orders.utf8), .csv, named: "orders"),
          ], joins: [join])
      }
    }
    let join = TableJoin("buyer", of: "orders", to: "id", of: "people")
    let dangling = error("id\na\n", "n,buyer\n1,a\n2,x\n", join)
    XCTAssertEqual(dangling?.code, .danglingReference)
    XCTAssertEqual([dangling?.className, dangling?.key], ["orders", "buyer"])
    XCTAssertEqual(dangling?.line, 3)
    let double = error("id\na\na\n", "n,buyer\n1,a\n", join)
    XCTAssertEqual(double?.code, .duplicateKey)
    XCTAssertEqual([double?.line], [3])
    let list = assertThrows(ImportError.self) {
      try importer.archive(
        from: [ImportTable(Data("{\"id\":1}\n{\"id\":2,\"up\":[1]}".utf8), .jsonLines, named: "t")],
        joins: [TableJoin("up", of: "t", to: "id", of: "t")])
    }
    XCTAssertEqual(list?.code, .typeMismatch)
    XCTAssertEqual(list?.line, 2)
    let table = error("id\na\n", "n,buyer\n1,a\n", TableJoin("buyer", of: "orders", to: "id", of: "persons"))
    XCTAssertTrue("\(table as Any)".contains("'people', 'orders'"), "\(table as Any)")
    let column = error("id\na\n", "n,buyer\n1,a\n", TableJoin("seller", of: "orders", to: "id", of: "people"))
    XCTAssertTrue("\(column as Any)".contains("'seller'"), "\(column as Any)")
  }

  // MARK: Files

  func testFilesAreReadByTheirExtensions() throws {
    let folder = try temporaryFolder()
    func file(_ name: String, _ text: String) throws -> URL {
      let url = folder.appendingPathComponent(name)
      try Data(text.utf8).write(to: url)
      return url
    }
    let people = try file("people.2026.csv", "id;name\np1;Ann\n")
    let orders = try file("orders.json", "[{\"number\": 1, \"buyer\": \"p1\"}]")
    XCTAssertEqual(try importer.read([TablePerson].self, from: ImportTable(people)).map(\.name), ["Ann"])
    let (archive, report) = try importer.archive(
      from: [ImportTable(people), ImportTable(orders)],
      joins: [TableJoin("buyer", of: "orders", to: "id", of: "people")])
    XCTAssertEqual(report.files.map(\.roots), [["people"], ["orders"]])
    XCTAssertEqual(report.files.map(\.name), [people.path, orders.path])
    let classes = ClassTable()
    try classes.register(TablePerson.self, formerly: "people")
    try classes.register(TableOrder.self, formerly: "orders")
    let read = try Unarchiver(classes: classes).unarchive([TableOrder].self, from: archive, root: "orders")
    XCTAssertEqual(read[0].buyer?.name, "Ann")
    let other = assertThrows(ImportError.self) {
      try importer.read([TablePerson].self, from: ImportTable(file("people.txt", "id\n1\n")))
    }
    XCTAssertEqual(other?.code, .unknownFormat)
    let broken = try file("broken.csv", "id,name\n1\n")
    let error = assertThrows(ImportError.self) {
      try importer.read([TablePerson].self, from: [ImportTable(people), ImportTable(broken)])
    }
    XCTAssertEqual(error?.filePath, broken.path)
    XCTAssertEqual(error?.line, 2)
  }

  func testSQLiteDatabaseNeedsTheTrait() throws {
    let table = ImportTable(Data("SQLite format 3\0".utf8), .sqlite)
    XCTAssertThrowsError(try importer.archive(from: [table]))
    let error = assertThrows(ImportError.self) {
      try importer.archive(from: [table, ImportTable(Data("a\n1\n".utf8), .csv, named: "x")])
    }
    XCTAssertEqual(error?.code, .unknownFormat)
  }
}
