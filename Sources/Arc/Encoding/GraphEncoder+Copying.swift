import ArcArchive
import ArcFormat
import ArcRuntime

// What is archived of objects that a copy of the graph shares with it: a row without values.

extension GraphEncoder {
  /// The archive of a graph for a copy that shares some objects, these, and the classes of the others.
  func archiveOfCopy(
    _ root: some ArchivableValue, sharing parts: [GraphSelection]
  ) throws -> (bytes: [UInt8], classes: LiveClasses, shared: [SharedObject]) {
    let boundary = try CopyBoundary(parts)
    self.boundary = boundary
    if boundary.hasProperties { try boundary.findCopied(from: root, for: self) }
    let bytes = try archive(roots: [(ArchiveFile.defaultRoot, root)])
    return (bytes, classes.value.liveClasses, sharedObjects)
  }

  /// Whether the copy that is made shares an object.
  func isShared(_ object: AnyObject) -> Bool { boundary?.isShared(object) ?? false }

  /// Whether a weak reference in a column leads to an object that the copy shares, which other objects than
  /// those of the copy keep.
  func sharesTarget(_ object: AnyObject, of column: ColumnWriter) -> Bool {
    guard let boundary, boundary.isShared(object) else { return false }
    if boundary.isOfSharedClass(object) { return true }
    guard let writer = unsafe currentWriter.value?.takeUnretainedValue(), let key = currentKey(column.slot)
    else { return false }
    return boundary.sharedKeys(of: writer.shape).contains(ExactName(key))
  }

  /// The keys of properties that are not followed: those that stay shared, while the objects are found that
  /// others lead to.
  func keysLeftOut(of shape: ProgramClass) -> Set<ExactName> {
    guard let boundary, boundary.isSearching else { return [] }
    return boundary.sharedKeys(of: shape)
  }

  /// Writes the row of an object if it is shared; returns whether it was.
  func writeShared(_ index: Int) throws -> Bool {
    let object = unsafe object(at: index).takeUnretainedValue()
    guard isShared(object), let type = type(of: object) as? any Archivable.Type else { return false }
    let classIndex = try classes.value.indexOfShared(type)
    _ = try archive.value.rowCapacity()
    try archive.value.addRows(1, classIndex: classIndex)
    sharedObjects.append(SharedObject(row: index + 1, object: object))
    return true
  }

  /// How many objects of a class follow from an index on that are not shared, as far as they are known, and
  /// no more than `limit`; the first is not.
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
