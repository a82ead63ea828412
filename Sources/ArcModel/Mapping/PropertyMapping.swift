import Arc
import ArcJSON

/// How one property of a class is mapped: what its declaration, its class and the reader or writer say of it,
/// in one.
struct PropertyMapping {
  /// The ways to the value, the first of which it is written at.
  let paths: [JSONPath]
  let rules: JSONRules
  let format: ValueFormat?

  /// The mappings of the properties of a class.
  ///
  /// - Parameters:
  ///   - slots: the properties, by slot.
  ///   - type: the class.
  ///   - given: what a reader or writer was given, by class.
  ///   - naming: how names are made where nothing else says it.
  /// - Returns: one for each slot.
  /// - Throws: `ArchiveError` for a path that is none.
  static func ofSlots(
    _ slots: [RowReader.Slot], of type: any Archivable.Type, _ given: [ObjectIdentifier: ClassMapping],
    _ naming: KeyNaming
  ) throws -> [PropertyMapping] {
    var mappings: [ClassMapping] = []
    var schema: ClassSchema? = type.archiveSchema
    if let own = given[ObjectIdentifier(type)] { mappings.append(own) }
    while let current = schema {
      if current.type != type, let own = given[ObjectIdentifier(current.type)] { mappings.append(own) }
      schema = current.superclass
    }
    if let type = type as? any ModelMapping.Type { mappings.append(type.mapping) }
    return try slots.map { try PropertyMapping($0, of: type, mappings, naming) }
  }

  /// The mapping of a property of which several say something, the first of them first.
  private init(
    _ slot: RowReader.Slot, of type: any Archivable.Type, _ mappings: [ClassMapping], _ naming: KeyNaming
  ) throws {
    let keys = slot.marks.lazy.compactMap { $0 as? JSONKeys }.first
    let texts = mappings.lazy.compactMap { $0.paths[slot.name] }.first { !$0.isEmpty } ?? keys?.paths
    if let texts {
      paths = try texts.map { text in
        if let path = JSONPath(text), !path.steps.isEmpty { return path }
        throw ArchiveError(
          .notArchivable, found: "the JSON path '\(text)'",
          expected: "names and numbers, as in 'user.ids[0]'",
          remedy: "put names with dots or brackets in brackets and quotes: '[\"a.b\"]'",
          className: type.archiveSchema.name, key: slot.keys[0])
      }
    } else {
      let naming = mappings.lazy.compactMap(\.naming).first ?? naming
      paths = [JSONPath(member: naming.name(slot.keys[0]))]
    }
    var rules =
      mappings.lazy.compactMap { $0.rules[slot.name] }.first
      ?? slot.marks.reduce(into: JSONRules()) { $0.formUnion($1 as? JSONRules ?? []) }
    let isListed = mappings.allSatisfy {
      $0.only?.contains(slot.name) ?? true && !$0.except.contains(slot.name)
    }
    if !isListed || slot.isWeak && !rules.contains(.included) { rules.formUnion(.omitted) }
    if slot.isWeak { rules.formUnion(.writeOnly) }
    self.rules = rules
    format =
      mappings.lazy.compactMap { $0.formats[slot.name] }.first
      ?? slot.marks.lazy.compactMap { $0 as? ValueFormat }.first
  }
}
