import ArcFormat
import ArcRuntime

/// Tells which objects a copy of a graph shares with it.
///
/// An object is shared if it is of a class that stays shared; or if there are properties that stay shared,
/// and only they lead to it: that is found by a walk that leaves them out.
final class CopyBoundary {
  private let classes: [any Archivable.Type]
  /// The keys of shared properties, by the classes that declare them.
  private let keys: [ObjectIdentifier: Set<ExactName>]
  private var keysOfClasses: [ObjectIdentifier: Set<ExactName>] = [:]
  private var areShared: [ObjectIdentifier: Bool] = [:]
  /// What walked over the objects that are copied, which it keeps alive; nil before.
  private var walker: GraphEncoder?

  /// Throws `missingKey` for a property that its class does not have.
  init(_ parts: [SharedPart]) throws {
    var classes: [any Archivable.Type] = []
    var keys: [ObjectIdentifier: Set<ExactName>] = [:]
    for part in parts {
      switch part.kind {
      case .objects(let types): classes += types
      case .property(let name, let type):
        let (declaring, key) = try Self.declaration(of: name, in: type)
        keys[ObjectIdentifier(declaring), default: []].insert(ExactName(key))
      }
    }
    self.classes = classes
    self.keys = keys
  }

  /// The class that declares a property, and the key under which it is archived.
  private static func declaration(
    of name: String, in type: any Archivable.Type
  ) throws -> (any Archivable.Type, String) {
    let lineage = try ProgramClass.of(type).schema.lineage
    for schema in lineage {
      if let property = schema.properties.first(where: { $0.name == name || $0.keys[0] == name }) {
        return (schema.type, property.keys[0])
      }
    }
    // A class coded by hand chooses its keys itself.
    if lineage[0].isKeyed { return (type, name) }
    throw ArchiveError(
      .missingKey, found: "no archived property '\(name)' to share", expected: "a property of the class",
      remedy: "see ClassInfo.of(\(type).self)", className: lineage[0].name, key: name)
  }

  /// Whether some properties stay shared.
  var hasProperties: Bool { !keys.isEmpty }

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
  func isOfSharedClass(_ object: AnyObject) -> Bool {
    if classes.isEmpty { return false }
    let type: AnyClass = type(of: object)
    if let known = areShared[ObjectIdentifier(type)] { return known }
    var next: AnyClass? = type
    while let current = next, !classes.contains(where: { $0 == current }) { next = _getSuperclass(current) }
    areShared[ObjectIdentifier(type)] = next != nil
    return next != nil
  }

  /// The keys of a class's properties that stay shared, inherited ones included.
  func sharedKeys(of shape: ProgramClass) -> Set<ExactName> {
    guard hasProperties else { return [] }
    let identity = ObjectIdentifier(shape.schema.type)
    if let known = keysOfClasses[identity] { return known }
    let found = shape.schema.lineage.reduce(into: Set<ExactName>()) {
      $0.formUnion(keys[ObjectIdentifier($1.type)] ?? [])
    }
    keysOfClasses[identity] = found
    return found
  }
}
