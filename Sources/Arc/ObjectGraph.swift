import ArcFormat

/// Functions on object graphs: copy, compare and release a value with everything that it reaches.
///
///     let draft = try ObjectGraph.copy(document)
///     draft.title = "Draft"
///     try ObjectGraph.isIsomorphic(document, draft)                // false
///     try ObjectGraph.difference(between: document, and: draft)    // root.title: "Report" in …
///     try ObjectGraph.release(draft)
///
/// The value can be an object, a structure, an array, a dictionary or another archivable value.
public enum ObjectGraph {
  /// Copies a graph: a value and everything that it reaches. Returns the copy.
  ///
  ///     let draft = try ObjectGraph.copy(document)
  ///
  /// The copy equals the result of archiving and reading the graph: it has as many objects, with the same
  /// classes and references. Properties that are not archived, such as `@Transient` properties, have their
  /// initial values. A weak reference is nil if no strong reference of the graph reaches its target. All
  /// hooks are called, as in archiving and reading, so an ``UnarchiveReplacing`` class can return existing
  /// objects. No class needs registration.
  ///
  /// - Parameters:
  ///   - root: the value to copy.
  ///   - userInfo: the values that the program's own code receives.
  /// - Returns: the copy. It shares no object with the graph.
  /// - Throws: `ArchiveError` if a value cannot be archived; or what an `encode(to:)`, an `init(from:)`, a
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

  /// Copies a graph, except for a selection of objects that the copy shares with the graph. Returns the copy.
  ///
  ///     let page = try ObjectGraph.copy(
  ///       page, sharing: [.objects(of: Image.self), .property("book", of: Page.self)])
  ///
  /// Shared objects are not read, their hooks are not called, and objects that only shared objects reach are
  /// not visited. In the copy, a weak or unowned reference to an object that is shared by class refers to
  /// this object. A weak or unowned reference to an object that is shared by property does so only if the
  /// reference is that property. In all other respects, the copy is as ``copy(_:userInfo:)`` describes.
  ///
  /// - Parameters:
  ///   - root: the value to copy.
  ///   - parts: the selection of shared objects.
  ///   - userInfo: the values that the program's own code receives.
  /// - Returns: the copy.
  /// - Throws: `ArchiveError` with code `missingKey` if a class does not have a selected property; otherwise
  ///   as ``copy(_:userInfo:)`` does.
  /// - Complexity: O(objects + values), in constant stack. If properties are selected, the graph is walked
  ///   twice.
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
