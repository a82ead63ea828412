import ArcFormat
import ArcRuntime

/// Which classes stand in for those of a file that the program does not have, as a policy says.
///
/// What is found for a class holds for those on the way to it: each is looked for once, since a hostile table
/// has a line of inheritance as long as itself.
final class SubstituteClasses {
  private let policy: UnknownContentPolicy
  private let classes: [ClassDescription]
  private let types: ReachableClasses
  private var found: [Int: Result<(any Archivable.Type)?, any Error>] = [:]

  init(_ policy: UnknownContentPolicy, of classes: [ClassDescription], _ types: ReachableClasses) {
    (self.policy, self.classes, self.types) = (policy, classes, types)
  }

  /// The class that stands in for one of the file; nil if there is none.
  ///
  /// - Throws: why a superclass of it is no class of the program.
  /// - Complexity: O(superclasses) at first, together O(classes).
  func type(forClassAt index: Int) throws -> (any Archivable.Type)? {
    if policy.standIns.isEmpty { return nil }
    var way: [Int] = []
    var result = Result<(any Archivable.Type)?, any Error>.success(nil)
    var next: Int? = index
    while let index = next {
      if let known = found[index] {
        result = known
        break
      }
      way.append(index)
      next = classes[index].superclassIndex
      guard let above = next else { break }
      result = Result {
        try types.type(named: classes[above].name).flatMap { known in
          policy.standIns.first { ClassTable.isSubclass($0, of: known) }
        }
      }
      if case .success(nil) = result { continue }
      break
    }
    for index in way { found[index] = result }
    return try result.get()
  }
}
