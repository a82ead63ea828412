import ArcFormat
import ArcRuntime

// Where references may lead, which is known when they are set: to objects that are reserved by then.

/// Where references of one column may lead.
struct ReferenceRule {
  /// The class that the column declares; nil if objects of all classes fit.
  let className: String?
  /// The index of that class; nil if there is none, and then no object fits.
  let classIndex: Int?
  /// Whether they lead to earlier rows.
  let isConstruction: Bool
}

extension ArchiveBuilder {
  /// Checks a reference. `name` is the class that the column declares, if any.
  /// Spec: 05-graph, rules G2, G3 and G4.
  func check(
    _ id: ObjectID, isOfClass name: String?, _ row: Int, _ isConstruction: Bool
  ) throws(ArchiveError) {
    let rule = referenceRule(name, isConstruction: isConstruction)
    if let error = mistake(in: id, ofRow: UInt32(truncatingIfNeeded: row), rule) { throw error }
  }

  /// What references of a column are checked against, which holds until a class is added.
  func referenceRule(_ className: String?, isConstruction: Bool) -> ReferenceRule {
    if hierarchyCount != writer.classes.count {
      hierarchy = ClassHierarchy(writer.classes)
      hierarchyCount = writer.classes.count
    }
    return ReferenceRule(
      className: className, classIndex: className.flatMap { classIndices[ExactName($0)] },
      isConstruction: isConstruction)
  }

  /// What is wrong with a reference in a row; nil if nothing is.
  func mistake(in id: ObjectID, ofRow row: UInt32, _ rule: ReferenceRule) -> ArchiveError? {
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
