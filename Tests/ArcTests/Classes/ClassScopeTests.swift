import Arc
import ArcFormat
import ArcRuntime
import ArcTestSupport
import XCTest

private protocol ScopedShape: ArchivableValue {}
@Archivable private class ScopedAnimal { var name = "" }
@Archivable private final class ScopedDog: ScopedAnimal, ScopedShape { var isLoud = true }
@Archivable private struct ScopedSquare: ScopedShape { var side = 1 }
@Archivable private final class ScopedThing { var size = 1 }

@Archivable private final class ScopedRoot {
  var animal: ScopedAnimal?
  var shape: (any ScopedShape)?
  @Boxed var any: Any? = nil
}

/// The classes that a table of each scope allows in a property with a declared class, in `any P` and in
/// `Any`.
final class ClassScopeTests: XCTestCase {
  private enum Holding: String, CaseIterable { case animal, shape, any }

  private func root(_ holding: Holding, _ value: Any) -> ScopedRoot {
    let root = ScopedRoot()
    switch holding {
    case .animal: root.animal = value as? ScopedAnimal
    case .shape: root.shape = value as? any ScopedShape
    case .any: root.any = value
    }
    return root
  }

  /// Reads a root. Returns the code of the error, or "read".
  private func outcome(_ root: ScopedRoot, _ classes: ClassTable, _ session: Bool) throws -> String {
    let bytes = try Archiver().archive(root)
    let unarchiver = Unarchiver(classes: classes)
    do {
      let copy =
        try session
        ? LazyArchive(bytes: bytes, unarchiver: unarchiver).object(ScopedRoot.self)
        : unarchiver.unarchive(ScopedRoot.self, from: bytes)
      XCTAssertTrue(try ObjectGraph.isIsomorphic(root, copy))
      return "read"
    } catch let error as ArchiveError {
      return error.code.rawValue
    }
  }

  func testClassTableScopeLimitsWhichTypesAreRead() throws {
    let table: [(Holding, Any, program: String, subclasses: String, declared: String)] = [
      (.animal, ScopedAnimal(), "read", "read", "read"),
      (.animal, ScopedDog(), "read", "read", "unknownClass"),
      (.shape, ScopedDog(), "read", "read", "unknownClass"),
      (.shape, ScopedSquare(), "read", "unknownClass", "unknownClass"),
      (.any, ScopedAnimal(), "read", "read", "read"),
      (.any, ScopedDog(), "read", "read", "unknownClass"),
      (.any, ScopedThing(), "read", "unknownClass", "unknownClass"),
      (.any, ScopedSquare(), "read", "unknownClass", "unknownClass"),
      (.any, [ScopedThing()], "read", "unknownClass", "unknownClass"),
      (.any, 3, "read", "read", "unknownClass"),
      (.any, "text", "read", "read", "unknownClass"),
      (.any, [1, 2], "read", "read", "unknownClass"),
      (.any, ["a": [1.5]], "read", "read", "unknownClass"),
    ]
    // One of the six cells of each value, or all in an exhaustive run.
    var cells = TrialSample(oneIn: 6)
    for (holding, value, program, subclasses, declared) in table {
      for session in [false, true] {
        for (scope, expected) in [
          (ClassTable.Scope.program, program), (.subclasses, subclasses), (.declared, declared),
        ] {
          guard cells.includesNext() else { continue }
          let found = try outcome(root(holding, value), ClassTable(scope: scope), session)
          XCTAssertEqual(found, expected, "\(holding): \(value), \(scope), session: \(session)")
        }
      }
    }
  }

  func testRegisteredTypesAreReadInEveryScope() throws {
    let values: [(Holding, Any)] = [
      (.animal, ScopedDog()), (.shape, ScopedDog()), (.shape, ScopedSquare()), (.any, ScopedThing()),
      (.any, ScopedSquare()),
    ]
    var cells = TrialSample(oneIn: 5)
    for scope in [ClassTable.Scope.program, .subclasses, .declared] {
      let classes = ClassTable(scope: scope)
      try classes.register(all: ScopedDog.self, ScopedSquare.self, ScopedThing.self)
      for (holding, value) in values {
        for session in [false, true] where cells.includesNext() {
          XCTAssertEqual(try outcome(root(holding, value), classes, session), "read", "\(holding), \(scope)")
        }
      }
      XCTAssertEqual(
        try outcome(root(.any, [ScopedThing()]), classes, false), scope == .declared ? "unknownClass" : "read"
      )
    }
  }
}
