import ArcFormat
import ArcRuntime

/// Tells which objects a copy of a graph shares with it.
///
/// An object is shared if it is of a class that stays shared; or if there are properties that stay shared,
/// and only they lead to it: that is found by a walk that leaves them out.
final class CopyBoundary {
  private let boundary: GraphBoundary
  /// What walked over the objects that are copied, which it keeps alive; nil before.
  private var walker: GraphEncoder?

  /// Throws `missingKey` for a property that its class does not have.
  init(_ parts: [GraphSelection]) throws { boundary = try GraphBoundary(parts) }

  /// Whether some properties stay shared.
  var hasProperties: Bool { boundary.hasProperties }

  /// Whether the objects that are copied are still looked for.
  private(set) var isSearching = false

  /// Finds the objects that a root leads to by other properties than those that stay shared, with the hooks
  /// and boxes of the encoder that will archive them.
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

  /// Whether an object is of a class that stays shared, or of a subclass.
  func isOfSharedClass(_ object: AnyObject) -> Bool { boundary.contains(type(of: object)) }

  /// The keys of a class's properties that stay shared, inherited ones included.
  func sharedKeys(of shape: ProgramClass) -> Set<ExactName> { boundary.keys(of: shape) }
}
