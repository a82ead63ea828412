import XCTest

/// Classes of a resilient library, which can change without recompilation of its clients.
final class ResilienceTests: XCTestCase {
  func testObjectsOfAResilientModulePreserveIdentity() throws {
    let outcome = try Compiler(flags: ["-enable-library-evolution", "-suppress-warnings"]).run(
      [
        "Library": """
        public import Arc
        @Archivable open class Plant {
          public var name = ""
          open var next: Plant?
          public var others: [Plant] = []
          public init() {}
        }
        """,
        "Program": """
        import Arc
        import Library
        @Archivable final class Tree: Plant {
          var height = 0
          @Transient var looks = 0
          var roots: [Tree] = []
          override var next: Plant? { get { looks += 1; return super.next } set { super.next = newValue } }
        }
        let (root, leaf) = (Tree(), Tree())
        root.next = Tree()
        root.next?.next = leaf
        root.others = [leaf, Plant(), root]
        root.roots = [Tree(), leaf]
        root.height = 7
        let bytes = try Archiver().archive(root)
        let copy = try Unarchiver().unarchive(Tree.self, from: bytes)
        let looks = copy.looks
        print(copy.height, copy.next?.next === copy.others[0], copy.others[2] === copy, copy.roots[1] === copy.others[0],
          looks)
        """,
      ], environment: ["ARC_CHECK_IDENTITY": "1"])
    XCTAssertEqual(outcome.output, "7 true true true 0\n")
  }
}
