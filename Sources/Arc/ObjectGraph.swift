import ArcArchive
import ArcFormat

/// Functions that copy, compare and release an object graph: a value with everything that it reaches.
///
///     let draft = try ObjectGraph.copy(document)
///     draft.title = "Draft"
///     try ObjectGraph.isIsomorphic(document, draft)                // false
///     try ObjectGraph.difference(between: document, and: draft)    // root.title: "Report" in …
///     try ObjectGraph.release(draft)
///
/// The value can be an object, a structure, an array, a dictionary, or a value of any other archivable type.
public enum ObjectGraph {
  /// Copies a graph: a value and everything that it reaches. Returns the copy.
  ///
  ///     let draft = try ObjectGraph.copy(document)
  ///
  /// The copy equals the result of archiving and reading the graph: it has the same number of objects, with
  /// the same classes and corresponding references. Properties that are not archived, such as `@Transient`
  /// properties, have their initial values. A weak reference is nil if no strong reference of the graph
  /// reaches its target. The function calls all hooks that archiving and reading call, so an
  /// ``UnarchiveReplacing`` class can return existing objects. Classes need not be registered.
  ///
  /// - Parameters:
  ///   - root: the value to copy.
  ///   - userInfo: the values that hooks and hand-written classes can access.
  /// - Returns: the copy. It shares no object with the graph, unless a hook returns such an object.
  /// - Throws: `ArchiveError` if a value cannot be archived; or an error of an `encode(to:)`, an
  ///   `init(from:)`, a `link(from:)` or a hook.
  /// - Complexity: O(objects + values). The stack depth is constant.
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

  /// Copies a graph, except for selected objects. Returns the copy, which shares these objects with the
  /// graph.
  ///
  ///     let page = try ObjectGraph.copy(
  ///       page, sharing: [.objects(of: Image.self), .property("book", of: Page.self)])
  ///
  /// Shared objects are not read, and their hooks are not called. Objects that only shared objects reach are
  /// not visited. A weak or unowned reference of the copy may refer to an object that the copy does not
  /// retain, if the class of the object or the property of the reference is selected. In all other respects,
  /// the copy is as ``copy(_:userInfo:)`` describes.
  ///
  /// - Parameters:
  ///   - root: the value to copy.
  ///   - parts: the selected objects, by class or by property.
  ///   - userInfo: the values that hooks and hand-written classes can access.
  /// - Returns: the copy.
  /// - Throws: `ArchiveError` with code `missingKey` if a class does not have a selected property, or an
  ///   error of ``copy(_:userInfo:)``.
  /// - Complexity: O(objects + values). The stack depth is constant. If properties are selected, the function
  ///   traverses the graph twice.
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

  /// Copies one object. Returns the copy, which refers to the same objects, and to itself where the object
  /// refers to itself.
  ///
  /// - Parameter object: the object.
  /// - Returns: the copy, with the class of the object. Properties that are not archived have their initial
  ///   values.
  /// - Throws: `ArchiveError` if the object cannot be archived or unarchived, or an error of the object's own
  ///   code.
  /// - Complexity: O(values of the object).
  package static func shallowCopy<Object: Archivable>(of object: Object) throws -> Object {
    if let copy = try ObjectCopier.copy(object) { return copy }
    let properties = type(of: object).archiveSchema.lineage.flatMap { level in
      level.properties.map { GraphSelection.property($0.name, of: level.type) }
    }
    return try copy(object, sharing: properties)
  }
}
