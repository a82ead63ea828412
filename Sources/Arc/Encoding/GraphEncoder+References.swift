import ArcFormat

/// The class and the key of a reference, for errors that are found after everything is written.
struct Referrer {
  let className: String?
  let key: String?
}

extension GraphEncoder: ReferenceSink {
  /// Whether lazy references skip objects that were not read yet. True for a pass that only walks through the
  /// objects in memory, without hooks.
  var visitsOnlyLoadedObjects: Bool { !hooks.areCalled }

  func noteReading() { hooks.noteReading() }

  var archiveContext: ArchiveContext { hooks.context }

  func boxes() -> ValueBoxes { valueBoxes }

  /// Appends a reference to a column of the archive. The object gets a row if it has none.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws {
    guard !column.isWeak else { return writeWeak(object, to: column) }
    guard let object else { return column.append(0 as UInt32) }
    // If the object has a row, its replacement was already requested, and the object itself is archived.
    let known = isUnique ? 0 : references.value.identities.row(of: UInt(bitPattern: ObjectIdentifier(object)))
    if known == 0, !classes.value.hooks(of: object).isEmpty {
      try appendArchived(object, isUnique: isUnique, to: column)
    } else {
      try append(object, row: known, isUnique: isUnique, to: column)
    }
  }

  /// Appends a reference to an object whose class may have hooks. Calls the hooks first. If they replace the
  /// object, the reference refers to the replacement.
  @inline(never)
  private func appendArchived(_ object: AnyObject, isUnique: Bool, to column: ColumnWriter) throws {
    let archived = try archived(object)
    guard archived !== object else { return try append(object, row: 0, isUnique: isUnique, to: column) }
    do { try checkReplacement(archived, of: object, in: column) } catch let error as ArchiveError {
      throw located(error, in: column)
    }
    try append(archived, row: row(of: archived), isUnique: false, to: column)
  }

  /// Appends a reference to an object that is archived as itself, not as a replacement. `row` is the row of
  /// the object; 0 if the object has no row yet.
  @inline(__always)
  private func append(_ object: AnyObject, row: UInt32, isUnique: Bool, to column: ColumnWriter) throws {
    do {
      if column.isConstruction { try checkIsEarlier(object, row: row) }
      column.append(try self.row(row, assignedTo: object, column, isUnique: isUnique))
    } catch let error as ArchiveError {
      throw located(error, in: column)
    }
  }

  /// Throws `constructionOrder` unless `object` has an earlier row than the current object, which needs
  /// `object` for its construction. Spec: 05-graph, rules G4 and W8.
  private func checkIsEarlier(_ object: AnyObject, row: UInt32) throws {
    guard row == 0 || row >= references.value.currentRow else { return }
    throw ArchiveError(
      .constructionOrder,
      found:
        "an object of class '\(type(of: object))' that encode(to:) encodes for construction only in its second call",
      expected: "identical objects in both calls of encode(to:)",
      remedy: "create the object once and store it in a property, or encode the reference during .linking")
  }

  /// Appends a weak reference. If its target has no row yet, the value of the reference is determined when
  /// all objects are written: the row of the target, or nil if the target still has no row. Spec: 05-graph,
  /// rule G7.
  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) {
    if let receiveWeakTarget { return receiveWeakTarget(object) }
    if let object, sharesTarget(object, of: column) {
      let row = row(of: object)
      return column.append(row != 0 ? row : assignRow(to: object))
    }
    let row = object.map(row) ?? 0
    if let object, hooks.areCalled, classes.value.hooks(of: object).contains(.replacing) {
      replaceableTargets.append((object, column, referrer(by: column)))
    }
    if let object, row == 0 {
      weakTargets.append(object)
      column.appendUnsettled(UInt(bitPattern: ObjectIdentifier(object)))
    } else {
      column.append(row)
    }
  }

  /// Returns the object to which a weak property refers now. If `location` is the location of a weak field,
  /// the field is read directly, without a getter.
  func weakTarget(
    of object: AnyObject, _ property: Int, _ writer: ClassWriter, at location: StorageLocation?
  ) throws -> AnyObject? {
    let access = writer.shape.slots[property].property.access
    guard let location, case .weak = location.content else {
      return try access.value(of: object).map { $0 as AnyObject }
    }
    var target: AnyObject?
    let wasDirect = references.value.isDirect
    references.value.isDirect = false
    receiveWeakTarget = { target = $0 }
    defer { (receiveWeakTarget, references.value.isDirect) = (nil, wasDirect) }
    try access.write(object, at: location, to: writer.column(property))
    return target
  }

  /// Records an object to which a weak property refers now, although the property was nil when it was
  /// written. Retains the object.
  func addLateWeakTarget(_ target: AnyObject, _ column: ColumnWriter) {
    if sharesTarget(target, of: column), row(of: target) == 0 { _ = assignRow(to: target) }
    if hooks.areCalled, classes.value.hooks(of: target).contains(.replacing) {
      replaceableTargets.append((target, column, referrer(by: column)))
    }
    weakTargets.append(target)
  }

  /// Returns the row of an object. `known` is this row, or 0 if the object has no row yet. In this case, the
  /// objects that it needs for construction get rows first, and then the object gets a row.
  @inline(__always)
  private func row(
    _ known: UInt32, assignedTo object: AnyObject, _ column: ColumnWriter, isUnique: Bool
  ) throws -> UInt32 {
    let row = known != 0 ? known : try constructionOrder.number(object, isUnique: isUnique)
    if references.value.isUnowned {
      if known == 0, !isShared(object) {
        recordUnowned(row, by: referrer(by: column))
      }
    } else if unownedReferrers.removeValue(forKey: row) != nil {
      references.value.isDirect = unownedReferrers.isEmpty
    }
    return row
  }

  /// Records that no strong reference to the object of a row was encoded so far. Disables the fast encoding
  /// of references until a strong reference to the object is encoded, because the fast encoding would not
  /// record this reference.
  func recordUnowned(_ row: UInt32, by referrer: Referrer) {
    unownedReferrers[row] = referrer
    references.value.isDirect = false
  }

  /// Throws `unownedTarget` if the archive contains only unowned references to an object. Such references
  /// would dangle when the archive is read. Spec: 05-graph, rule G6.
  func checkOwnership() throws {
    guard let (row, referrer) = unownedReferrers.min(by: { $0.key < $1.key }) else { return }
    throw unsafe ArchiveError(
      .unownedTarget,
      found:
        "an unowned reference to an object of class '\(type(of: object(at: Int(row) - 1).takeUnretainedValue()))'",
      expected: "an unowned reference to an object that the graph also refers to strongly",
      remedy: "archive the owner of the object too, or declare the reference weak",
      className: referrer.className, key: referrer.key, objectID: ObjectID(rawValue: row))
  }

  /// Adds the location of a column to an error: the key of the property, or the name of the root. Also adds
  /// the location of the next value in the column. Returns the error.
  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    var located = located(error, inSlot: column.slot)
    located.valueLocation = located.valueLocation ?? column.nextLocation
    return located
  }

  /// Throws `duplicateKey` if keys will be equal when they are read. Spec: 05-graph, rule W8.
  func checkDistinct<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter
  ) throws {
    guard column.keyCheck != .notNeeded, keys.count > 1, checksKeys else { return }
    do {
      try DistinctKeys.check(keys, column)
    } catch let error as ArchiveError {
      throw located(error, in: column)
    }
  }

  func checkReplaced<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, of column: ColumnWriter
  ) throws {
    guard hooks.haveReplacements, column.keyCheck == .ofReferences, keys.count > 1 else { return }
    let archived = keys.map { key in
      type(of: key) is AnyClass ? archivedSoFar(for: key as AnyObject) as? Key ?? key : key
    }
    guard Set(archived).count == keys.count else {
      throw located(DistinctKeys.error("two keys or elements whose replacements are equal"), in: column)
    }
  }

  /// The order of keys: this encoder determines it if the archive is canonical. Nil if the order is
  /// arbitrary. Spec: 05-graph, section 8.
  var keyOrder: (any KeyOrder)? { options.isCanonical ? self : nil }
}

extension GraphEncoder: KeyOrder {
  func write<Key: ArchivableValue>(inOrder keys: [Key], to column: ColumnWriter) throws {
    try canonicalOrder.append(keys, to: column, onlyCompares: false)
  }

  func write<Key: ArchivableValue, Value: ArchivableValue>(
    inOrder entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter
  ) throws {
    try canonicalOrder.append(entries, to: keyColumn, valueColumn, onlyCompares: false)
  }
}
