import XCTest

/// Programs without reflection metadata of fields. With the metadata, Arc reads and sets fields in memory
/// without the program's code.
final class ReflectionTests: XCTestCase {
  func testObserversAreRefusedWithoutReflectionMetadata() throws {
    let outcome = try Compiler(flags: ["-Xfrontend", "-disable-reflection-metadata"]).run(
      [
        "Program": """
        import Arc
        @Archivable final class Gauge { var level = 1 { didSet { level = 0 } } }
        @Archivable class Reader {
          var level = 1 { didSet { level = 0 } }
          var next: Plain?
          init() {}
        }
        @Archivable final class Plain { var level = 1; weak var last: Plain? }
        @Archivable final class Silent: Reader {
          override var next: Plain? { get { nil } set {} }
          override init() { super.init() }
        }
        func code(_ value: some ArchivableValue) -> String {
          do {
            _ = try Archiver().archive(value)
            return "archived"
          } catch let error as ArchiveError {
            return "\\(error.code.rawValue) \\(error.key ?? "") \\(error.remedy ?? "")"
          } catch { return "\\(error)" }
        }
        print(code(Gauge()))
        print(code(Reader()))
        print(code(Plain()))
        print(code(Silent()))
        """
      ])
    let refused = "compile the module of the class without -disable-reflection-metadata"
    XCTAssertEqual(
      outcome.output,
      "notArchivable level \(refused)\narchived\narchived\nnotArchivable next \(refused)\n")
  }
}
