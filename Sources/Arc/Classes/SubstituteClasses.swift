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
  /// The properties that refer to objects of a class.
  private let properties: ReferringProperties
  private let roots: [(name: String, type: any ArchivableValue.Type)]
  private var isChecked = false

  init(
    _ policy: UnknownContentPolicy, of classes: [ClassDescription], _ types: ReachableClasses,
    _ properties: ReferringProperties, roots: [(name: String, type: any ArchivableValue.Type)]
  ) {
    (self.policy, self.classes, self.types) = (policy, classes, types)
    (self.properties, self.roots) = (properties, roots)
  }

  /// The class that stands in for one of the file; nil if there is none.
  ///
  /// - Throws: why a superclass of it is no class of the program; `invalidUse` if no property or root of the
  ///   program can hold objects of some substitute.
  /// - Complexity: O(superclasses) at first, together O(classes).
  func type(forClassAt index: Int) throws -> (any Archivable.Type)? {
    if policy.standIns.isEmpty { return nil }
    try check()
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
    if case .success(nil) = result {
      result = Result { try conformingType(forClassAt: index) }
      found[index] = result
    }
    return try result.get()
  }

  /// The first class that all properties can hold which refer to objects of a class of which no superclass is
  /// known.
  private func conformingType(forClassAt index: Int) throws -> (any Archivable.Type)? {
    let holders = try properties.valueTypes(referringTo: index, types, roots: roots)
    if holders.isEmpty { return nil }
    return policy.standIns.first { type in holders.allSatisfy { types.canHold(type, in: $0) } }
  }

  /// Throws unless objects of each substitute can be somewhere in a graph of the program.
  private func check() throws {
    if isChecked { return }
    for type in policy.standIns where !types.canHold(type) {
      throw ArchiveError(
        .invalidUse, found: "the substitute class '\(type)', which no property or root can hold",
        expected:
          "a subclass of a property's declared class; or, for a property of type 'any P', a class that "
          + "conforms to 'P'",
        remedy:
          "pass another class to .substitute(_:), or make '\(type)' conform to the protocol of a property",
        className: type.archiveSchema.name)
    }
    isChecked = true
  }
}
