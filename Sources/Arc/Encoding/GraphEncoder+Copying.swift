import ArcArchive
import ArcFormat
import ArcRuntime

// Archives a graph for a copy that shares some of its objects. A shared object is archived as a row without
// values.

extension GraphEncoder {
  /// Archives a graph for a copy. Returns the archive, the classes of the copied objects, and the objects
  /// that the copy shares with the graph.
  func archiveOfCopy(
    _ root: some ArchivableValue, sharing parts: [GraphSelection]
  ) throws -> (bytes: [UInt8], classes: LiveClasses, shared: [SharedObject]) {
    let boundary = try CopyBoundary(parts)
    self.boundary = boundary
    if boundary.hasProperties { try boundary.findCopied(from: root, for: self) }
    let bytes = try archive(roots: [(ArchiveFile.defaultRoot, root)])
    return (bytes, classes.value.liveClasses, sharedObjects)
  }

  /// Whether the copy shares an object. False if the encoder does not archive a graph for a copy.
  func isShared(_ object: AnyObject) -> Bool { boundary?.isShared(object) ?? false }

  /// Whether the copy of a weak reference also refers to `object`. `column` is the column of the weak
  /// reference. True if the copy shares the object with the original graph, and the caller has selected the
  /// object's class or the weak property for sharing. In this case, objects outside the copy retain the
  /// object.
  func sharesTarget(_ object: AnyObject, of column: ColumnWriter) -> Bool {
    guard let boundary, boundary.isShared(object) else { return false }
    if boundary.isOfSharedClass(object) { return true }
    guard let writer = unsafe currentWriter.value?.takeUnretainedValue(), let key = currentKey(column.slot)
    else { return false }
    return boundary.sharedKeys(of: writer.shape).contains(ExactName(key))
  }

  /// Returns the keys of the properties that this encoder does not follow. While it searches for the objects
  /// to copy, these are the selected properties. At other times, it follows all properties.
  func keysLeftOut(of shape: ProgramClass) -> Set<ExactName> {
    guard let boundary, boundary.isSearching else { return [] }
    return boundary.sharedKeys(of: shape)
  }

  /// Writes the row of the object at an index if the copy shares the object. Returns whether the row was
  /// written.
  func writeShared(_ index: Int) throws -> Bool {
    let object = unsafe object(at: index).takeUnretainedValue()
    guard isShared(object), let type = type(of: object) as? any Archivable.Type else { return false }
    let classIndex = try classes.value.indexOfShared(type)
    _ = try archive.value.rowCapacity()
    try archive.value.addRows(1, classIndex: classIndex)
    sharedObjects.append(SharedObject(row: index + 1, object: object))
    return true
  }

  /// Returns how many consecutive objects, beginning with the object at index `first`, belong to the class
  /// `type` and are copied. The object at `first` is one of these objects. Only objects that already have a
  /// row are counted, and at most `limit` objects. If no property is selected, returns `limit`, because the
  /// objects of a class are then all copied or all shared.
  @inline(__always)
  func countOfCopied(_ type: any Archivable.Type, from first: Int, atMost limit: Int) -> Int {
    boundary == nil ? limit : countOfCopiedNow(type, from: first, atMost: limit)
  }

  @inline(never)
  private func countOfCopiedNow(_ type: any Archivable.Type, from first: Int, atMost limit: Int) -> Int {
    guard let boundary, boundary.hasProperties else { return limit }
    var count = 1
    while count < limit, first + count < objectCount,
      unsafe object(at: first + count)._withUnsafeGuaranteedRef({
        Swift.type(of: $0) == type && !boundary.isShared($0)
      })
    {
      count += 1
    }
    return count
  }
}
