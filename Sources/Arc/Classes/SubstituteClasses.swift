import ArcFormat
import ArcRuntime

/// Finds the substitutes for classes of a file that the program does not have, according to a policy.
///
/// The search walks up from a class to its superclasses. Its result is stored for all visited classes, so
/// each class is examined only once. This limits the work for an untrusted class table, in which each class
/// may be a superclass of the next.
final class SubstituteClasses {
  private let policy: UnknownContentPolicy
  private let classes: [ClassDescription]
  private let types: ReachableClasses
  private var found: [Int: Result<(any Archivable.Type)?, any Error>] = [:]
  /// Finds the properties and roots that refer to objects of a class of the file.
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

  /// Returns the class of the program whose objects replace the objects of an unknown class of the file. Nil
  /// if no class of the policy is a substitute for it.
  ///
  /// - Throws: the error of a superclass that cannot be archived; `invalidUse` if no property or root of the
  ///   program can contain objects of a substitute.
  /// - Complexity: O(superclasses) for the first call, O(classes) for all calls together.
  func type(forClassAt index: Int) throws -> (any Archivable.Type)? {
    if policy.substitutes.isEmpty { return nil }
    try check()
    var path: [Int] = []
    var result = Result<(any Archivable.Type)?, any Error>.success(nil)
    var next: Int? = index
    while let index = next {
      if let known = found[index] {
        result = known
        break
      }
      path.append(index)
      next = classes[index].superclassIndex
      guard let above = next else { break }
      result = Result {
        try types.type(named: classes[above].name).flatMap { known in
          policy.substitutes.first { ClassTable.isSubclass($0, of: known) }
        }
      }
      if case .success(nil) = result { continue }
      break
    }
    for index in path { found[index] = result }
    if case .success(nil) = result {
      result = Result { try conformingType(forClassAt: index) }
      found[index] = result
    }
    return try result.get()
  }

  /// Returns the first substitute whose objects can be in all properties and roots that refer to objects of a
  /// class. Nil if there is no such substitute. Used if the program has no superclass of the class.
  private func conformingType(forClassAt index: Int) throws -> (any Archivable.Type)? {
    let holders = try properties.valueTypes(referringTo: index, types, roots: roots)
    if holders.isEmpty { return nil }
    return policy.substitutes.first { type in holders.allSatisfy { types.canHold(type, in: $0) } }
  }

  /// Throws `invalidUse` if the program has no property or root that can contain objects of one of the
  /// substitutes.
  private func check() throws {
    if isChecked { return }
    for type in policy.substitutes where !types.canHold(type) {
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
