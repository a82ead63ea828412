import ArcFormat
import ArcRuntime

extension Unarchiver {
  /// Finds properties whose hashed keys can refer back to the object that contains them. Returns their names.
  ///
  ///     let classes = ClassTable()
  ///     try classes.register(Artwork.self)
  ///     let found = try Unarchiver(classes: classes).cyclicKeys(in: Museum.self)
  ///     XCTAssertEqual(found, [])
  ///
  /// The function follows the declared types of the root and of the classes that may be built. It reports
  /// sets, dictionaries and other collections by hash.
  ///
  /// In a graph with such a cycle, a `hash(into:)` or `==` that visits the members of a set or dictionary
  /// calls itself without end. The `hash(into:)` of a set does this. The writer of a file determines whether
  /// its graph has such a cycle, and no reader can detect it in advance. Hash only values that do not refer
  /// to other objects, such as a name or a number. Spec: 07-limits, "What a reader promises".
  ///
  /// Types do not show what hand-written classes contain, or which values a `hash(into:)` uses. So the
  /// function also reports safe properties, for example if the keys hash only an `ObjectIdentifier`. List
  /// these in the test, which then finds new properties.
  ///
  /// - Parameter type: the type of the root.
  /// - Returns: the properties as `Class.key`, sorted.
  /// - Throws: `ArchiveError` with code `notArchivable` if a class cannot be archived.
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
