import XCTest

@testable import DebianPackageGraph

final class GraphIsomorphismTests: XCTestCase {
  func testGraphsOfOneTextAreIsomorphic() throws {
    try withTwoGraphs { original, copy in
      // 1 database, 5 packages, 2 maintainers, 4 dependencies.
      XCTAssertEqual(try GraphIsomorphism.verify(original: original, copy: copy), 12)
    }
  }

  func testEqualUnsharedObjectIsBrokenIdentity() throws {
    try withTwoGraphs { original, copy in
      let twin = Maintainer(name: "GNU Libc Team", address: "glibc@example.org")
      twin.packageCount = 2
      copy.maintainers[0] = twin
      XCTAssertEqual(
        difference(original, copy),
        GraphDifference(
          code: .identity, path: #"packages["libc6"].maintainer"#,
          original: "the object at maintainers[0]", copy: "a new object"))
    }
  }

  func testSharedObjectInsteadOfTwoIsBrokenIdentity() throws {
    try withTwoGraphs { original, copy in
      let libgcc = try XCTUnwrap(copy.packages["libgcc-s1"])
      libgcc.dependencies[1] = libgcc.dependencies[0]
      let found = try XCTUnwrap(difference(original, copy))
      XCTAssertEqual(found.code, .identity)
      XCTAssertEqual(found.path, #"packages["libgcc-s1"].dependencies[1]"#)
      XCTAssertEqual(found.copy, #"the object at packages["libgcc-s1"].dependencies[0]"#)
    }
  }

  func testReferenceToAnotherObjectIsBrokenIdentity() throws {
    try withTwoGraphs { original, copy in
      let mawk = try XCTUnwrap(copy.packages["mawk"])
      let libc6 = try XCTUnwrap(copy.packages["libc6"])
      libc6.dependencies[0].alternatives[0] = Alternative(package: mawk)
      let found = try XCTUnwrap(difference(original, copy))
      XCTAssertEqual(found.code, .identity)
      XCTAssertEqual(found.path, #"packages["libc6"].dependencies[0].alternatives[0].package"#)
      XCTAssertEqual(found.original, #"the object at packages["libgcc-s1"]"#)
      XCTAssertEqual(found.copy, #"the object at packages["mawk"]"#)
    }
  }

  func testLostWeakLinkIsFound() throws {
    try withTwoGraphs { original, copy in
      copy.packages["libc6"]?.dependents[0].package = nil
      XCTAssertEqual(
        difference(original, copy),
        GraphDifference(
          code: .presence, path: #"packages["libc6"].dependents[0].package"#,
          original: "object", copy: "nil"))
    }
    try withTwoGraphs { original, copy in
      (copy.packages["awk"] as? VirtualPackage)?.onlyProvider = nil
      XCTAssertEqual(difference(original, copy)?.path, #"packages["awk"].onlyProvider"#)
    }
  }

  func testChangedDynamicClassIsFound() throws {
    try withTwoGraphs { original, copy in
      copy.packages["awk"] = MissingPackage(name: "awk")
      XCTAssertEqual(
        difference(original, copy),
        GraphDifference(
          code: .dynamicClass, path: #"packages["awk"]"#,
          original: "VirtualPackage", copy: "MissingPackage"))
    }
  }

  func testChangedValuesAreFoundWithTheirPath() throws {
    let changes: [(path: String, change: (PackageDatabase) -> Void)] = [
      (
        #"packages["libgcc-s1"].dependencies[0].alternatives[0].constraint.version"#,
        { database in
          database.packages["libgcc-s1"]?.dependencies[0].alternatives[0].constraint =
            VersionConstraint(.equal, "1")
        }
      ),
      (
        #"packages["libgcc-s1"].dependencies[1].alternatives[0].constraint.comparison"#,
        { database in
          database.packages["libgcc-s1"]?.dependencies[1].alternatives[0].constraint = nil
        }
      ),
      (
        #"packages["libc6"].obsoleteConffiles.count"#,
        { database in
          (database.packages["libc6"] as? InstalledPackage)?.obsoleteConffiles = []
        }
      ),
      (#"packages["mawk"].dependencies.count"#, { $0.packages["mawk"]?.dependencies = [] }),
      ("maintainers[1].packageCount", { $0.maintainers[1].packageCount = 9 }),
      ("names[0]", { $0.names.swapAt(0, 1) }),
      ("maintainers.count", { $0.maintainers.removeLast() }),
      ("packages.count", { $0.packages["awk"] = nil }),
    ]
    for (path, change) in changes {
      try withTwoGraphs { original, copy in
        change(copy)
        let found = difference(original, copy)
        XCTAssertEqual(found?.path, path)
        XCTAssertEqual(found?.code, .value, path)
      }
    }
  }

  func testChangedNormalizationOfATextIsADifference() throws {
    let original = SampleGraph.database("Package: a\nSection: caf\u{E9}\n")
    let copy = SampleGraph.database("Package: a\nSection: cafe\u{301}\n")
    XCTAssertEqual(difference(original, copy)?.path, #"packages["a"].section"#)
  }

  func testPrivatePropertiesAreCompared() throws {
    let original = SampleGraph.database("Package: a\nX-Extra: 1\n")
    let copy = SampleGraph.database("Package: a\nX-Extra: 2\n")
    XCTAssertEqual(
      difference(original, copy)?.description,
      #"packages["a"].otherFields["X-Extra"]: value: "1" in the original, "2" in the copy"#)
  }

  private func withTwoGraphs(_ body: (PackageDatabase, PackageDatabase) throws -> Void) throws {
    let original = SampleGraph.database()
    let copy = SampleGraph.database()
    defer {
      original.dismantle()
      copy.dismantle()
    }
    try body(original, copy)
  }

  private func difference(_ original: PackageDatabase, _ copy: PackageDatabase) -> GraphDifference? {
    do {
      try GraphIsomorphism.verify(original: original, copy: copy)
      return nil
    } catch {
      return error
    }
  }
}
