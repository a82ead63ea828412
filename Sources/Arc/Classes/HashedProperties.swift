import ArcFormat
import ArcRuntime
import Synchronization

/// The properties by which objects are hashed that are compared by what is archived of them.
package enum HashedProperties {
  /// The names of properties of which the program's own hashes are equal where what is archived is:
  /// without objects, and without structures, cases with values and converted types, whose hash may be of
  /// something else.
  package static func names(of type: any Archivable.Type) -> [String] {
    let identity = ObjectIdentifier(type)
    if let known = known.withLock({ $0[identity] }) { return known }
    // Objects of a class that is not archivable are never equal, so any hash is right.
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
