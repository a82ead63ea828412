import ArcFormat
import ArcRuntime

extension Unarchiver {
  /// Finds the properties, as `Class.key`, that hold sets, dictionaries or other collections by hash whose
  /// keys can lead back to the object that holds them, by the declared types of a root and of the classes
  /// that may be built.
  ///
  ///     XCTAssertEqual(try Unarchiver(classes: classes).cyclicKeys(in: Document.self), ["Person.friends"])
  ///
  /// If `hash(into:)` or `==` of such keys goes through the members of a set or dictionary, as that of a set
  /// itself does, a graph with such a cycle makes it call itself without end, whoever built the graph. In a
  /// file, its writer decides on that, and no reader can see it coming. Hash by what does not lead to other
  /// objects, such as a name or a number. Spec: 07-limits, "What a reader promises".
  ///
  /// Types do not tell what classes coded by hand hold, nor by what keys are hashed: a property whose keys
  /// hash by `ObjectIdentifier`, or by anything that leads to no other object, is named as well, though
  /// nothing can go wrong there. A test lists these, and finds the next one.
  ///
  /// - Parameter type: the type of a root.
  /// - Returns: the names of the properties, sorted.
  /// - Throws: `ArchiveError` with code `notArchivable` for a class that cannot be archived.
  /// - Complexity: O(classes · properties).
  public func cyclicKeys<Value: ArchivableValue>(in type: Value.Type) throws -> [String] {
    let classes = try ReachableClasses(self.classes, roots: [type]).all()
    var found: [String] = []
    for programClass in classes {
      for slot in programClass.slots where slot.level == 0 && slot.phase == .hash {
        var keys = programClass.layout.classNames(inKeysOf: slot.root)
        // Their columns do not say which part is the key.
        if slot.hashesElements { keys.formUnion(programClass.layout.classNames(in: slot.root)) }
        let reached = Self.reachable(from: keys, in: classes)
        // Whatever has the property: the class that declares it, and its subclasses.
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

  /// The classes whose objects can be reached from references to the named classes.
  private static func reachable(from names: Set<ExactName>, in classes: [ProgramClass]) -> Set<ExactName> {
    var reached: Set<ExactName> = []
    var pending = Array(names)
    while let name = pending.popLast() {
      // A reference may lead to an object of a subclass.
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
  /// The classes that references within a node are declared to lead to. Weak ones too, since code follows
  /// them.
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

  /// The classes that references in the keys of sets and dictionaries within a property are declared to lead
  /// to.
  fileprivate func classNames(inKeysOf root: Int) -> Set<ExactName> {
    var names: Set<ExactName> = []
    _ = reaches(from: root) { inner in
      if hashesReferences(inner) { names.formUnion(classNames(in: inner.children[0])) }
      return false
    }
    return names
  }
}
