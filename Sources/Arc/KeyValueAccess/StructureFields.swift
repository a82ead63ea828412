import ArcRuntime
import Synchronization

/// The fields of a structure by their names, found once for each structure.
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
      // Cases of an enumeration have none.
      guard let access = part.access else { return nil }
      byName[ExactName(part.name)] = access
    }
  }

  /// The field of a name. Throws `unknownKey` if there is none.
  func field(_ name: String) throws(KeyAccessError) -> any FieldAccess {
    if let field = byName[ExactName(name)] { return field }
    throw KeyAccessError(
      .unknownKey, found: "no archived field '\(name)'",
      expected: "the name of a field: \(names.joined(separator: ", "))"
    ).located(className: typeName, key: name)
  }

  /// The fields of a structure; nil for any other type.
  static func of(_ type: any ArchivableValue.Type) -> StructureFields? {
    let identity = ObjectIdentifier(type)
    if let fields = known.withLock({ $0[identity] }) { return fields }
    // Not kept for other types: of those no paths go through.
    guard let fields = StructureFields(type) else { return nil }
    return known.withLock { $0.insert(fields, for: identity) ? fields : $0[identity] ?? fields }
  }

  private static let known = Mutex(ShortMap<ObjectIdentifier, StructureFields>())
}
