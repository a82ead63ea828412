import XCTest

@testable import ArcInspection

final class Neo4jExportTests: XCTestCase {
  func testNodesAndRelationshipsAreExportedPerClass() throws {
    let files = try exportFolder("neo4j-csv", on: QueriedArchives.zoo())
    XCTAssertEqual(
      files["arguments.txt"],
      """
      --id-type=integer
      --multiline-fields=true
      --nodes=roots.csv
      --nodes=Zoo.Animal.csv
      --nodes=Dog.csv
      --relationships=references.csv

      """)
    XCTAssertEqual(
      files["Zoo.Animal.csv"],
      "row:ID,name:string,age:long,nick:string,tags:string,:LABEL\r\n"
        + #"3,Tom,3,T,"{""$set"":[]}",Zoo.Animal"# + "\r\n" + #"4,Lea,2,,"{""$set"":[]}",Zoo.Animal"# + "\r\n"
    )
    XCTAssertTrue(files["Dog.csv"]?.contains(",Dog;Zoo.Animal\r\n") ?? false)
    XCTAssertEqual(
      files["references.csv"]?.components(separatedBy: "\r\n").filter { !$0.isEmpty }.sorted(),
      [
        "0,1,root,,,", "0,3,others,0,,", "1,2,friends,0,,", "1,2,mother,,,true", "1,3,friends,1,,",
        "2,1,friends,0,,", "2,4,rival,,,", "3,1,mother,,,true",
        ":START_ID,:END_ID,:TYPE,position:long,key:string,weak:boolean",
      ])
  }

  func testNamesAreNotInterpretedAsHeaderSyntax() throws {
    let builder = try RowWiseArchive(roots: [])
    let first = try builder.addClass("A;B:C", properties: [("row:ID", "Tq"), ("row", "Tq"), ("ROW", "Td")])
    try builder.addClass("references", properties: [])
    try builder.row(0)
    try builder.row(first, .int(1), .int(2), .double(.infinity))
    let files = try exportFolder("neo4j-csv", on: builder.finish())
    XCTAssertEqual(
      files["A_B_C.csv"],
      "row:ID,row_ID:long,row_2:long,ROW_3:double,:LABEL\r\n1,1,2,Infinity,A_B_C\r\n")
    XCTAssertNotNil(files["references_2.csv"])
    XCTAssertEqual(files["references.csv"]?.split(separator: "\r\n").count, 1)
  }
}
