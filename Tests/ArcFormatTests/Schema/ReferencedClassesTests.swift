import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcFormat

/// The classes that references can reach. Each class is found once, in time that does not grow with the
/// references.
final class ReferencedClassesTests: XCTestCase {
  /// A schema of classes with references to others, by their numbers; -1 is any object.
  private func schema(_ classes: [(superclass: Int?, targets: [Int])]) throws -> StoredSchema {
    var descriptions = [ClassDescription(name: "$roots", superclassIndex: nil)]
    var layouts: [ColumnLayout] = []
    for (index, entry) in classes.enumerated() {
      var layout = ColumnLayout()
      for target in entry.targets {
        try layout.append(.object(className: target < 0 ? nil : "C\(target)", protocols: []))
      }
      layouts.append(layout)
      if index > 0 {
        descriptions.append(ClassDescription(name: "C\(index)", superclassIndex: entry.superclass))
      }
    }
    return StoredSchema(classes: descriptions, layouts: layouts)
  }

  func testEachOfManyConnectedClassesIsComparedOnce() throws {
    // A quadratic algorithm would take more than 10^9 steps.
    let count = 30_000
    let entries = (0...count).map { index in
      (superclass: index > 1 ? index - 1 : nil, targets: [index == 0 ? 1 : index, 1, -1, count])
    }
    var comparedCount = 0
    var comparison = SchemaComparison(try schema(entries))
    func objects(_: Int) -> String? { "objects" }
    try comparison.compareClasses(from: [0], objects: objects) { _, _ in
      comparedCount += 1
      return nil
    }
    XCTAssertEqual(comparedCount, count)
    XCTAssertEqual(comparison.differences, [])
  }

  func testUnreachableUnknownClassesAreReportedAsLossy() throws {
    // The roots reach C1 and its subclass C3. No reference reaches C2, and C4 has no objects.
    let stored = try schema([(nil, [1]), (nil, [4]), (nil, [1]), (1, []), (nil, [2])])
    var comparison = SchemaComparison(stored)
    func objects(_ index: Int) -> String? { index == 4 ? nil : "objects" }
    try comparison.compareClasses(from: [0], objects: objects) { index, comparison in
      comparison.addUnknownClass(at: index, found: "objects")
      return nil
    }
    XCTAssertEqual(
      comparison.differences.map { "\($0.className ?? "") \($0.effect)" },
      ["C1 refused", "C2 lossy", "C3 refused"])
  }

  func testReferencedClassesEqualTheResultOfSlowSearch() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 300) {
      let count = Int.random(in: 1...12, using: &random)
      let entries = (0...count).map { index in
        (
          superclass: index > 1 && Bool.random(using: &random)
            ? Int.random(in: 1..<index, using: &random) : nil,
          targets: (0..<Int.random(in: 0...2, using: &random)).map { _ in
            // Some numbers are not classes of the table.
            Int.random(in: 0...9, using: &random) == 0 ? -1 : Int.random(in: 1...count + 2, using: &random)
          }
        )
      }
      let stored = try schema(entries)
      func isClass(_ index: Int, orSubclassOf other: Int) -> Bool {
        index == other || entries[index].superclass.map { isClass($0, orSubclassOf: other) } ?? false
      }
      var slow: Set<Int> = []
      var pending = [0]
      while let index = pending.popLast() {
        for target in entries[index].targets {
          for other in 1...count where target < 0 || isClass(other, orSubclassOf: target) {
            if slow.insert(other).inserted { pending.append(other) }
          }
        }
      }
      var reached = ReferencedClasses(stored)
      reached.add(stored.targets(ofColumns: nil, ofClassAt: 0))
      var found: [Int] = []
      while let index = reached.popNext() {
        found.append(index)
        reached.add(stored.targets(ofColumns: nil, ofClassAt: index))
      }
      XCTAssertEqual(found.sorted(), slow.sorted(), "\(entries)")
    }
  }
}
