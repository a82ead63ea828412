import ArcFormat

/// Copies a graph: a class, structure, array, dictionary or other value and all that it reaches.
///
///     let draft = try deepCopy(document)
///
/// The copy is what reading the archive of the graph would give: as many objects, of the same classes,
/// referring to each other in the same way, by strong, weak and unowned references. What is not archived,
/// such as `@Transient` properties, has its initial value, and a weak reference to what nothing in the graph
/// keeps is nil. All hooks are called, as when the graph is archived and then read; so an
/// ``UnarchiveReplacing`` class can give objects that the program has already. No class needs to be
/// registered.
///
/// - Parameters:
///   - root: what is copied.
///   - userInfo: what the program's own code gets while the graph is copied.
/// - Returns: the copy, which shares no object with the graph.
/// - Throws: `ArchiveError` for what cannot be archived, or what an `encode(to:)`, `init(from:)`,
///   `link(from:)` or a hook throws.
/// - Complexity: O(objects + values), in constant stack.
public func deepCopy<Value: ArchivableValue>(
  _ root: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> sending Value {
  let context = ArchiveContext(userInfo: userInfo)
  var calls = ArchivingHooks.Calls()
  let (bytes, classes) = try EncoderPool.archiveWithClasses(
    [(ArchiveFile.defaultRoot, root)], in: context, after: &calls)
  nonisolated(unsafe) let copy = try bytes.withByteView {
    try GraphCopying(bytes: $0, classes: classes, sharedObjects: [], context: context)
      .root(Value.self, named: ArchiveFile.defaultRoot)
  }
  return unsafe copy
}

/// Copies a graph up to a boundary: the copy refers to the same objects as the graph where these stay shared.
///
///     let page = try deepCopy(page, sharing: [.objects(of: Image.self), .property("book", of: Page.self)])
///
/// Of objects that stay shared nothing is read, no hook is called, and what only they refer to is not looked
/// at. Weak and unowned references lead to them, too, whoever keeps them; to those that a property keeps out
/// of the copy, only if that is the property. Otherwise it is as ``deepCopy(_:userInfo:)`` says.
///
/// - Parameters:
///   - root: what is copied.
///   - parts: what stays shared.
///   - userInfo: what the program's own code gets while the graph is copied.
/// - Returns: the copy.
/// - Throws: `ArchiveError` with code `missingKey` for a property that its class does not have; otherwise as
///   ``deepCopy(_:userInfo:)`` does.
/// - Complexity: O(objects + values), in constant stack. If properties stay shared, the graph is walked once
///   more before.
public func deepCopy<Value: ArchivableValue>(
  _ root: Value, sharing parts: [GraphSelection], userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> Value {
  let context = ArchiveContext(userInfo: userInfo)
  let encoder = GraphEncoder(in: context)
  let (bytes, classes, shared) = try ArchiveError.whileWriting {
    try encoder.archiveOfCopy(root, sharing: parts)
  }
  return try bytes.withByteView {
    try GraphCopying(bytes: $0, classes: classes, sharedObjects: shared, context: context)
      .root(Value.self, named: ArchiveFile.defaultRoot)
  }
}
