import ArcFormat

// What is archived for an object: itself, or what it has archived in its place. Spec: 05-graph, section 9.

extension GraphEncoder {
  /// The roots, each that is an object as what is archived for it: their columns have the types of these.
  func replaced(
    _ roots: [(name: String, value: any ArchivableValue)]
  ) throws -> [(name: String, value: any ArchivableValue)] {
    // Later archives of an encoder have roots of the same types.
    guard self.roots.isEmpty else { return roots }
    return try roots.map { root in
      guard type(of: root.value) is AnyClass else { return root }
      let object = root.value as AnyObject
      guard !classes.value.hooks(of: object).isEmpty else { return root }
      rootsHaveHooks = true
      do {
        return (root.name, try archived(object) as? any Archivable ?? root.value)
      } catch var error as ArchiveError {
        error.objectAddress = nil
        throw error.located(objectPath: ObjectPath(to: root.name, []).text)
      }
    }
  }

  /// What is archived for an object that is met now or was before: itself or its replacement, whose hooks
  /// were called.
  func archived(_ object: AnyObject) throws -> AnyObject {
    let own = classes.value.hooks(of: object)
    guard !own.isEmpty, hooks.areCalled, !isShared(object) else { return object }
    let archived = try hooks.replacement(of: object, own)
    try hooks.prepare(archived, archived === object ? own : classes.value.hooks(of: archived))
    return archived
  }

  /// What is archived for an object as far as it was asked: itself or its replacement.
  func archivedSoFar(for object: AnyObject) -> AnyObject {
    hooks.replacement(at: UInt(bitPattern: ObjectIdentifier(object))) ?? object
  }

  /// Throws `wrongClass` unless a reference is declared to lead to objects of a replacement's class. Spec:
  /// 05-graph, rule G3.
  func checkReplacement(
    _ replacement: AnyObject, of object: AnyObject, in column: ColumnWriter
  ) throws {
    guard let expected = column.declaredClass, let type = type(of: replacement) as? any Archivable.Type,
      !type.archiveSchema.lineage.contains(where: { $0.name.hasSameBytes(as: expected) })
    else { return }
    throw ArchiveError(
      .wrongClass,
      found: "an object of class '\(type)' that replaces an object of class '\(Swift.type(of: object))'",
      expected: "an object of class '\(expected)' or a subclass",
      remedy: "make '\(type)' a subclass of '\(expected)', or declare the reference as 'any P'")
  }

  /// Asks the targets of weak references that nothing else led to what would be archived for them: that may
  /// have a row.
  func askWeakTargets() throws {
    for (target, column, referrer) in replaceableTargets {
      let replacement = try hooks.replacement(of: target, .replacing)
      guard replacement !== target, row(of: replacement) != 0 else { continue }
      do { try checkReplacement(replacement, of: target, in: column) } catch let error as ArchiveError {
        throw error.located(className: referrer.className, key: referrer.key)
      }
    }
  }
}
