import ArcFormat
import ArcRuntime

/// The classes and properties at which a traversal of a graph ends. The caller handles the objects beyond
/// this boundary separately.
final class GraphBoundary {
  private let classes: [any Archivable.Type]
  /// The keys of the properties in the boundary, by the class that declares the properties.
  private let keys: [ObjectIdentifier: Set<ExactName>]
  private var keysOfClasses: [ObjectIdentifier: Set<ExactName>] = [:]
  private var isBeyondByClass: [ObjectIdentifier: Bool] = [:]

  /// Creates a boundary from selections. Throws `missingKey` if the class of a selected property does not
  /// have the property.
  init(_ parts: [GraphSelection]) throws {
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

  /// Returns the class that declares a property, and the key under which the property is archived.
  private static func declaration(
    of name: String, in type: any Archivable.Type
  ) throws -> (any Archivable.Type, String) {
    let lineage = try ProgramClass.of(type).schema.lineage
    for schema in lineage {
      if let property = schema.properties.first(where: { $0.name == name || $0.keys[0] == name }) {
        return (schema.type, property.keys[0])
      }
    }
    // A hand-written class chooses its own keys.
    if lineage[0].isKeyed { return (type, name) }
    throw ArchiveError(
      .missingKey, found: "no archived property '\(name)'",
      expected: "the name of an archived property of class '\(type)'",
      remedy: "choose a name from ClassInfo.of(\(type).self).properties", className: lineage[0].name,
      key: name)
  }

  var hasProperties: Bool { !keys.isEmpty }

  /// Whether objects of a class are beyond the boundary: the class is one of the boundary's classes, or a
  /// subclass of such a class.
  func contains(_ type: AnyClass) -> Bool {
    if classes.isEmpty { return false }
    if let known = isBeyondByClass[ObjectIdentifier(type)] { return known }
    var next: AnyClass? = type
    while let current = next, !classes.contains(where: { $0 == current }) { next = _getSuperclass(current) }
    isBeyondByClass[ObjectIdentifier(type)] = next != nil
    return next != nil
  }

  /// Returns the keys of those properties of a class, including inherited properties, that are selected for
  /// the boundary.
  func keys(of shape: ProgramClass) -> Set<ExactName> {
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
