import ArcFormat
import ArcRuntime

// Checks of references. A reference can be checked when it is set, because its target must be reserved
// before.

/// The objects to which the references of one column may refer.
struct ReferenceRule {
  /// The class that the column declares; nil if the column accepts objects of all classes.
  let className: String?
  /// The index of the class `className`. Nil if `className` is nil, or if no class has this name. In the
  /// second case, no object is accepted.
  let classIndex: Int?
  /// Whether the references may refer only to objects with lower numbers.
  let isConstruction: Bool
}

extension ArchiveBuilder {
  /// Checks a reference in a row. `name` is the class that the column declares; nil if the column declares
  /// none.
  ///
  /// Spec: 05-graph, rules G2, G3 and G4.
  func check(
    _ id: ObjectID, isOfClass name: String?, _ row: Int, _ isConstruction: Bool
  ) throws(ArchiveError) {
    let rule = referenceRule(name, isConstruction: isConstruction)
    if let error = error(in: id, ofRow: UInt32(truncatingIfNeeded: row), rule) { throw error }
  }

  /// Returns the rule for the references of a column. The rule is valid until a class is added.
  func referenceRule(_ className: String?, isConstruction: Bool) -> ReferenceRule {
    if hierarchyCount != writer.classes.count {
      hierarchy = ClassHierarchy(writer.classes)
      hierarchyCount = writer.classes.count
    }
    return ReferenceRule(
      className: className, classIndex: className.flatMap { classIndices[ExactName($0)] },
      isConstruction: isConstruction)
  }

  /// Returns the error in a reference of a row. Nil if the reference is allowed.
  func error(in id: ObjectID, ofRow row: UInt32, _ rule: ReferenceRule) -> ArchiveError? {
    let target = Int(id.rawValue)
    guard target > 0, target < classOfRow.count else {
      return ArchiveError(
        .danglingReference, found: "a reference to object \(id)",
        expected: "a reference to an object that was reserved",
        remedy: "call reserveObjects(ofClass:count:) first")
    }
    guard !rule.isConstruction || id.rawValue < row else {
      return ArchiveError(
        .constructionOrder,
        found: "a reference to object \(id), which the initializer of object #\(row) needs",
        expected: "a reference to an object with a number below \(row)")
    }
    guard let name = rule.className else { return nil }
    let index = Int(classOfRow[target])
    guard let declared = rule.classIndex, hierarchy.isClass(index, orSubclassOf: declared) else {
      return ArchiveError(
        .wrongClass, found: "a reference to object \(id) of class '\(writer.classes[index].name)'",
        expected: "a reference to an object of class '\(name)' or a subclass")
    }
    return nil
  }
}
