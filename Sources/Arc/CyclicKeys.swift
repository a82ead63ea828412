import ArcFormat
import ArcRuntime

extension Unarchiver {
  /// Finds properties whose hashed keys can refer back to the object that contains them: the result of
  /// `cyclicKeys(in:)` of ArcTesting.
  ///
  /// - Complexity: O(classes · properties).
  package func cyclicKeysByTypes(from root: any ArchivableValue.Type) throws -> [String] {
    let classes = try ReachableClasses(self.classes, roots: [root]).all()
    var found: [String] = []
    for programClass in classes {
      for slot in programClass.slots where slot.level == 0 && slot.phase == .hash {
        var keys = programClass.layout.classNames(inKeysOf: slot.root)
        // The columns of an element do not show which part of the element is hashed.
        if slot.hashesElements { keys.formUnion(programClass.layout.classNames(in: slot.root)) }
        let reached = Self.reachable(from: keys, in: classes)
        // The classes whose objects have the property: the class that declares it, and its subclasses.
        let holders = classes.filter { holder in
          holder.slots.contains { $0.declaringClass.hasSameBytes(as: programClass.schema.name) }
        }
        if holders.contains(where: { reached.contains(ExactName($0.schema.name)) }) {
          found.append("\(programClass.schema.name).\(slot.property.keys[0])")
        }
      }
    }
    return found.sorted()
  }

  /// Returns the names of all classes whose objects can be reached from a reference to an object of one of
  /// the classes `names`.
  private static func reachable(from names: Set<ExactName>, in classes: [ProgramClass]) -> Set<ExactName> {
    var reached: Set<ExactName> = []
    var pending = Array(names)
    while let name = pending.popLast() {
      // A reference may refer to an object of a subclass.
      for programClass in classes
      where programClass.schema.lineage.contains(where: { ExactName($0.name) == name }) {
        guard reached.insert(ExactName(programClass.schema.name)).inserted else { continue }
        for root in programClass.layout.roots { pending += programClass.layout.classNames(in: root) }
      }
    }
    return reached
  }
}

extension ColumnLayout {
  /// Returns the names of the declared classes of all references in a node. Weak references are included,
  /// because code that computes a hash can follow them.
  fileprivate func classNames(in node: Int) -> Set<ExactName> {
    var names: Set<ExactName> = []
    _ = reaches(from: node) { inner in
      if inner.kind == .reference || inner.kind == .weak, let name = inner.name {
        names.insert(ExactName(name))
      }
      return false
    }
    return names
  }

  /// Returns the declared classes of the references in keys. Considers the elements of all sets, and the keys
  /// of all dictionaries, in the values of a property.
  fileprivate func classNames(inKeysOf root: Int) -> Set<ExactName> {
    var names: Set<ExactName> = []
    _ = reaches(from: root) { inner in
      if hashesReferences(inner) { names.formUnion(classNames(in: inner.children[0])) }
      return false
    }
    return names
  }
}
