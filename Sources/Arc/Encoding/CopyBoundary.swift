import ArcFormat
import ArcRuntime

/// Determines which objects of a graph a copy shares with the graph.
///
/// An object is shared if its class is selected, or if only selected properties reach it. All objects that a
/// walk through the other properties finds are copied.
final class CopyBoundary {
  private let boundary: GraphBoundary
  /// The encoder that found and retains the copied objects. Nil before the walk.
  private var walker: GraphEncoder?

  /// Creates the boundary from the selected classes and properties. Throws `missingKey` if the class of a
  /// selected property does not have the property.
  init(_ parts: [GraphSelection]) throws { boundary = try GraphBoundary(parts) }

  /// Whether a property is selected.
  var hasProperties: Bool { boundary.hasProperties }

  /// Whether `findCopied(from:for:)` is walking through the graph now.
  private(set) var isSearching = false

  /// Finds the objects to copy: the objects that a root reaches without the selected properties. The walk
  /// uses the hooks and the boxes of `encoder`, because `encoder` archives the same objects afterwards.
  func findCopied(from root: some ArchivableValue, for encoder: GraphEncoder) throws {
    let walker = GraphEncoder(options: ArchiveOptions(), boxes: encoder.valueBoxes, hooks: encoder.hooks)
    walker.boundary = self
    isSearching = true
    defer { isSearching = false }
    do { _ = try walker.walk([root]) } catch let error as ArchiveError {
      throw walker.located(error, roots: [root])
    }
    walker.boundary = nil
    self.walker = walker
  }

  /// Whether the copy shares an object.
  func isShared(_ object: AnyObject) -> Bool {
    if isOfSharedClass(object) { return true }
    guard hasProperties, let walker else { return false }
    return walker.row(of: object) == 0
  }

  /// Whether an object is an instance of a selected class or of its subclass.
  func isOfSharedClass(_ object: AnyObject) -> Bool { boundary.contains(type(of: object)) }

  /// Returns the keys of a class's selected properties, including inherited properties.
  func sharedKeys(of shape: ProgramClass) -> Set<ExactName> { boundary.keys(of: shape) }
}
