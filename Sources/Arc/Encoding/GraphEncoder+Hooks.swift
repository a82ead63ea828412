import ArcFormat

// The objects that are archived: each object itself, or its replacement. Spec: 05-graph, section 9.

extension GraphEncoder {
  /// Returns the roots. If a root is an object whose class has hooks, the result contains the object that is
  /// archived instead of it. The columns of the roots then get the types of these objects.
  func replaced(
    _ roots: [(name: String, value: any ArchivableValue)]
  ) throws -> [(name: String, value: any ArchivableValue)] {
    // Later archives of an encoder have roots of the same types, so they have no hooks either.
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

  /// Returns the object that is archived for an object: itself or its replacement. The hooks are called now,
  /// unless they were called before.
  func archived(_ object: AnyObject) throws -> AnyObject {
    let own = classes.value.hooks(of: object)
    guard !own.isEmpty, hooks.areCalled, !isShared(object) else { return object }
    let archived = try hooks.replacement(of: object, own)
    try hooks.prepare(archived, archived === object ? own : classes.value.hooks(of: archived))
    return archived
  }

  /// Returns the replacement of an object, if the hooks were already called and returned one. Otherwise,
  /// returns the object itself. Calls no hooks.
  func archivedSoFar(for object: AnyObject) -> AnyObject {
    hooks.replacement(at: UInt(bitPattern: ObjectIdentifier(object))) ?? object
  }

  /// Throws `wrongClass` if the declared class of a reference does not allow the class of a replacement.
  /// Spec: 05-graph, rule G3.
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

  /// Requests the replacements of objects that had no row when a weak reference to them was written. If such
  /// a replacement has a row, throws `wrongClass` unless the weak reference allows the class of the
  /// replacement.
  func checkReplacementsOfWeakTargets() throws {
    for (target, column, referrer) in replaceableTargets {
      let replacement = try hooks.replacement(of: target, .replacing)
      guard replacement !== target, row(of: replacement) != 0 else { continue }
      do { try checkReplacement(replacement, of: target, in: column) } catch let error as ArchiveError {
        throw error.located(className: referrer.className, key: referrer.key)
      }
    }
  }
}
