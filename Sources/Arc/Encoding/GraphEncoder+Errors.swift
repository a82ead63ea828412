import ArcFormat

// Where an error of an archive that is written occurred: class, key, and the way from a root.

extension GraphEncoder {
  /// The error with the way from a root to the object that it names, and on to the property.
  func located(_ error: ArchiveError, roots: [any ArchivableValue]) -> ArchiveError {
    var located = error
    (located.valuePlace, located.objectAddress) = (nil, nil)
    // The way is from the object so far.
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

  /// The error with the class and the row of an object, and the way from there to the value.
  func located(_ error: ArchiveError, in writer: ClassWriter, objectIndex: Int) -> ArchiveError {
    guard error.objectAddress == nil else { return error }
    var located = error.located(
      className: writer.name, objectID: ObjectID(rawValue: UInt32(objectIndex + 1)))
    // An error may name another class: that of an object which the reference leads to.
    let key = error.className == nil ? error.key : nil
    if error.objectID == nil, error.objectPath == nil, let steps = writer.steps(of: error, orKey: key) {
      located.objectPath = steps.shortText
    }
    return located
  }

  /// The error with the key of the property, or the name of the root.
  func located(_ error: ArchiveError, inSlot slot: Int) -> ArchiveError {
    error.located(key: currentKey(slot))
  }

  func referrer(by column: ColumnWriter) -> Referrer {
    Referrer(className: currentClassName, key: currentKey(column.slot))
  }

  var currentClassName: String? { unsafe currentWriter.value?.takeUnretainedValue().name }

  /// The key of a slot of the class whose objects are encoded, or the name of a root.
  func currentKey(_ slot: Int) -> String? {
    let index = unsafe currentWriter.value?.takeUnretainedValue().index ?? 0
    let columns = archive.value.classes[index].columns
    return columns.indices.contains(slot) ? columns[slot].key : nil
  }
}
