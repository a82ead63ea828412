import ArcFormat
import ArcRuntime
import Synchronization

/// The properties to hash in objects that are compared by their archived values.
package enum HashedProperties {
  /// Returns the names of those properties that have equal hash values whenever their archived values are
  /// equal. Omits properties whose values contain objects, structures, associated values or converted types,
  /// because their `hash(into:)` may also hash values that are not archived.
  package static func names(of type: any Archivable.Type) -> [String] {
    let identity = ObjectIdentifier(type)
    if let known = known.withLock({ $0[identity] }) { return known }
    // Objects of a class that is not archivable are never equal, so any hash is correct.
    let names = (try? ProgramClass.of(type)).map(findNames) ?? []
    known.withLock { _ = $0.insert(names, for: identity) }
    return names
  }

  private static func findNames(of programClass: ProgramClass) -> [String] {
    programClass.slots.filter { slot in
      !slot.property.valueType.__refersToObjects
        && (!(slot.property.valueType is any ArchivableByConversion.Type)
          || slot.property.valueType is any __ArchivableByExactConversion.Type)
        && !programClass.layout.reaches(from: slot.root) { node in
          node.kind == .structure || node.kind == .enumeration && !node.children.isEmpty
        }
    }.map(\.property.name)
  }

  private static let known = Mutex(ShortMap<ObjectIdentifier, [String]>())
}
