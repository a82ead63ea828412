import ArcFormat

/// Functions on object graphs as values: a class, structure, array, dictionary or other value and all that it
/// reaches.
///
///     let draft = try ObjectGraph.copy(document)
///     draft.title = "Draft"
///     try ObjectGraph.isIsomorphic(document, draft)                // false
///     try ObjectGraph.difference(between: document, and: draft)    // root.title: "Report" in …
///     try ObjectGraph.release(draft)
public enum ObjectGraph {
  /// Copies a graph.
  ///
  ///     let draft = try ObjectGraph.copy(document)
  ///
  /// The copy is what reading the archive of the graph would give: as many objects, of the same classes,
  /// which refer to each other in the same way, by strong, weak and unowned references. Properties that are
  /// not archived, such as `@Transient` properties, have their initial values. A weak reference is nil if
  /// nothing in the graph retains its object. All hooks are called, as when the graph is archived and then
  /// read, so an ``UnarchiveReplacing`` class can supply objects that the program has already. No class needs
  /// to be registered.
  ///
  /// - Parameters:
  ///   - root: the graph to copy.
  ///   - userInfo: what the program's own code gets while the graph is copied.
  /// - Returns: the copy, which shares no object with the graph.
  /// - Throws: `ArchiveError` for what cannot be archived, or what an `encode(to:)`, `init(from:)`,
  ///   `link(from:)` or a hook throws.
  /// - Complexity: O(objects + values), in constant stack.
  public static func copy<Value: ArchivableValue>(
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

  /// Copies a graph up to a boundary. At the boundary the copy refers to the same objects as the graph.
  ///
  ///     let page = try ObjectGraph.copy(
  ///       page, sharing: [.objects(of: Image.self), .property("book", of: Page.self)])
  ///
  /// Shared objects are not read, none of their hooks is called, and objects that only they refer to are not
  /// visited. Weak and unowned references to shared objects are preserved, whoever retains these; a reference
  /// to an object that only a selected property keeps out of the copy is preserved in that property alone.
  /// Otherwise this function works as ``copy(_:userInfo:)`` does.
  ///
  /// - Parameters:
  ///   - root: the graph to copy.
  ///   - parts: the objects that stay shared.
  ///   - userInfo: what the program's own code gets while the graph is copied.
  /// - Returns: the copy.
  /// - Throws: `ArchiveError` with code `missingKey` for a property that its class does not have; otherwise
  ///   as ``copy(_:userInfo:)`` does.
  /// - Complexity: O(objects + values), in constant stack. If properties stay shared, the graph is walked
  ///   once more before.
  public static func copy<Value: ArchivableValue>(
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
}
