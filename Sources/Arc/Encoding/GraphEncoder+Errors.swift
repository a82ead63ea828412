import ArcFormat

// The location of an error in a graph that is archived: the class, the key, and the path from a root.

extension GraphEncoder {
  /// Returns an error with the path from a root to the object of the error, and from the object to the
  /// property.
  func located(_ error: ArchiveError, roots: [any ArchivableValue]) -> ArchiveError {
    var located = error
    (located.valueLocation, located.objectAddress) = (nil, nil)
    // The path in the error begins at the object.
    guard let address = address(ofObjectIn: error), [nil, ".", "["].contains(error.objectPath?.first),
      error.code != .lostIdentity
    else { return located }
    located.objectPath = ObjectSearch(in: self).path(to: address, from: roots).map {
      $0.text + (error.objectPath ?? "")
    }
    return located
  }

  private func address(ofObjectIn error: ArchiveError) -> UInt? {
    if let address = error.objectAddress { return address }
    guard let id = error.objectID, id.rawValue > 0, Int(id.rawValue) <= objectCount else { return nil }
    return unsafe UInt(bitPattern: object(at: Int(id.rawValue) - 1).toOpaque())
  }

  /// Adds the object at `objectIndex` to an error: its class, its row, and the steps from the object to the
  /// value that failed. Returns the error.
  func located(_ error: ArchiveError, in writer: ClassWriter, objectIndex: Int) -> ArchiveError {
    guard error.objectAddress == nil else { return error }
    var located = error.located(
      className: writer.name, objectID: ObjectID(rawValue: UInt32(objectIndex + 1)))
    // The class and key of the error may belong to another object, to which the reference refers.
    let key = error.className == nil ? error.key : nil
    if error.objectID == nil, error.objectPath == nil, let steps = writer.steps(of: error, orKey: key) {
      located.objectPath = steps.shortText
    }
    return located
  }

  /// Adds the key of the property in `slot`, or the name of the root, to an error. Returns the error.
  func located(_ error: ArchiveError, inSlot slot: Int) -> ArchiveError {
    error.located(key: currentKey(slot))
  }

  func referrer(by column: ColumnWriter) -> Referrer {
    Referrer(className: currentClassName, key: currentKey(column.slot))
  }

  var currentClassName: String? { unsafe currentWriter.value?.takeUnretainedValue().name }

  /// Returns the key of a column of the class whose objects are encoded now, or the name of a root. Nil if
  /// there is no such column.
  func currentKey(_ slot: Int) -> String? {
    let index = unsafe currentWriter.value?.takeUnretainedValue().index ?? 0
    let columns = archive.value.classes[index].columns
    return columns.indices.contains(slot) ? columns[slot].key : nil
  }
}
