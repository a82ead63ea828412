import ArcRuntime
import Synchronization

/// The fields of a structure by name. They are found once per structure.
final class StructureFields: @unchecked Sendable {  // Everything is set in `init` and only read afterwards.
  /// The coded name of the structure.
  let typeName: String
  private let names: [String]
  private var byName: [ExactName: any FieldAccess] = [:]

  private init?(_ type: any ArchivableValue.Type) {
    let context = __TypeEncodingContext(collectingNotes: ())
    _ = type.__typeEncoding(in: context)
    guard case .record(let record)? = context.notes?.first, record.type == type else { return nil }
    typeName = type.__archiveName.text
    names = record.parts.map(\.name)
    for part in record.parts {
      // Cases of an enumeration have no access.
      guard let access = part.access else { return nil }
      byName[ExactName(part.name)] = access
    }
  }

  /// Returns the field with a name. Throws `unknownKey` if there is none.
  func field(_ name: String) throws(KeyAccessError) -> any FieldAccess {
    if let field = byName[ExactName(name)] { return field }
    throw KeyAccessError(
      .unknownKey, found: "no archived field '\(name)'",
      expected: "the name of a field: \(names.joined(separator: ", "))"
    ).located(className: typeName, key: name)
  }

  /// Returns the shared fields of a structure. Nil if the type is not a structure.
  static func of(_ type: any ArchivableValue.Type) -> StructureFields? {
    let identity = ObjectIdentifier(type)
    if let fields = known.withLock({ $0[identity] }) { return fields }
    // The result for other types is not cached, because paths cannot continue in values of these types.
    guard let fields = StructureFields(type) else { return nil }
    return known.withLock { $0.insert(fields, for: identity) ? fields : $0[identity] ?? fields }
  }

  private static let known = Mutex(ShortMap<ObjectIdentifier, StructureFields>())
}
