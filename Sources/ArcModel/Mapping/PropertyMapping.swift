import Arc
import ArcJSON

/// The mapping of a class's property, or of a structure's field, to JSON. It combines the attributes of the
/// declaration, the ``ModelMapping`` of the type, and the options of the reader or writer.
struct PropertyMapping {
  /// The JSON paths of the value. A writer writes the value at the first path.
  let paths: [JSONPath]
  /// The key in archives.
  let key: String
  let rules: JSONRules
  let format: ValueFormat?
  /// The naming strategy of the type that declares the property. It also applies to the fields of an embedded
  /// structure.
  let naming: KeyNaming

  /// The declaration of a property or field.
  struct Declaration {
    let name: String
    let key: String
    let marks: [any __PropertyMark]
    let isWeak: Bool

    /// Whether the property is a member of JSON if no mapping names it.
    ///
    /// A property that is declared `private` or `fileprivate` is a member only if it has another attribute
    /// for JSON.
    fileprivate var isMember: Bool {
      marks.count > 1 || !marks.contains { $0 is __PrivateAccess }
    }
  }

  /// The mappings and the naming strategy that apply to the properties of one type, in addition to the
  /// attributes of the properties.
  struct Source {
    private let name: String
    let mappings: [JSONMapping]
    private let naming: KeyNaming
    /// A property name that a mapping contains although the type has no such property. Nil if there is no
    /// such name.
    private let unknownName: String?

    /// Collects the mappings that apply to a class.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - optionMappings: the mappings of the reader or writer, by type.
    ///   - naming: the naming strategy of the reader or writer, which applies if no mapping has a strategy.
    init(of type: any Archivable.Type, _ optionMappings: [ObjectIdentifier: JSONMapping], _ naming: KeyNaming)
    {
      let lineage = type.archiveSchema.lineage
      mappings = Self.mappings(of: type, lineage, optionMappings)
      (name, self.naming) = (lineage[0].name, naming)
      let names = Set(lineage.flatMap(\.properties).map(\.name))
      unknownName = mappings.lazy.flatMap(\.namesOfProperties).first { !names.contains($0) }
    }

    /// Returns the mappings that apply to a class, in the order that ``JSONMapping`` describes.
    private static func mappings(
      of type: any Archivable.Type, _ lineage: [ClassSchema],
      _ optionMappings: [ObjectIdentifier: JSONMapping]
    ) -> [JSONMapping] {
      // The schema of a class without a mark of its own is the schema of its superclass.
      let superclasses = lineage.filter { $0.type != type }
      let overrides = lineage[0].type == type ? lineage[0].overriddenProperties : nil
      let levels = [(type, overrides)] + superclasses.map { ($0.type, $0.overriddenProperties) }
      var mappings: [JSONMapping] = []
      // A mapping can depend on the class that inherits it.
      var inheriting = type as? any ModelMapping.Type
      for (level, (type, overrides)) in levels.enumerated() {
        if let mapping = optionMappings[ObjectIdentifier(type)] { mappings.append(mapping) }
        let superclass = level + 1 < levels.count ? levels[level + 1].0 as? any ModelMapping.Type : nil
        guard let mapped = inheriting, superclass == nil || overrides?.contains("mapping") ?? true else {
          continue
        }
        mappings.append(mapped.mapping)
        inheriting = superclass
      }
      return mappings
    }

    /// Collects the mappings that apply to a structure or enumeration.
    init(
      ofValue type: any ArchivableValue.Type, _ optionMappings: [ObjectIdentifier: JSONMapping],
      _ naming: KeyNaming
    ) {
      var mappings = [optionMappings[ObjectIdentifier(type)]].compactMap { $0 }
      if let type = type as? any ModelMapping.Type { mappings.append(type.mapping) }
      (name, self.mappings, self.naming, unknownName) = (type.__archiveName.text, mappings, naming, nil)
    }

    /// Creates a source without mappings. Used for the elements of a tuple, and for the associated values of
    /// a case.
    init(named name: String, _ naming: KeyNaming) {
      (self.name, mappings, self.naming, unknownName) = (name, [], naming, nil)
    }

    /// The naming strategy of the first mapping that has a strategy. If no mapping has a strategy, the
    /// strategy of the reader or writer.
    var effectiveNaming: KeyNaming { mappings.lazy.compactMap(\.naming).first ?? naming }

    /// Returns the mapping of a property. Throws if a path is not valid, or if a mapping names a property
    /// that the class does not have.
    func mapping(of property: Declaration) throws -> PropertyMapping {
      if let unknownName {
        throw ArchiveError(
          .notArchivable, found: "a mapping of the unknown property '\(unknownName)'",
          expected: "a mapping of a property of the class", remedy: "correct the name in the JSONMapping",
          className: name, key: unknownName)
      }
      return try PropertyMapping(property, of: name, mappings, effectiveNaming)
    }
  }

  /// Combines the mappings that apply to a property. An earlier mapping has priority.
  private init(
    _ property: Declaration, of owner: String, _ mappings: [JSONMapping], _ naming: KeyNaming
  ) throws {
    (self.naming, key) = (naming, property.key)
    let keys = property.marks.lazy.compactMap { $0 as? __JSONKeys }.first
    let texts = mappings.lazy.compactMap { $0.paths[property.name] }.first { !$0.isEmpty } ?? keys?.paths
    if let texts {
      paths = try texts.map { text in
        if let path = JSONPath(text), !path.steps.isEmpty { return path }
        throw ArchiveError(
          .notArchivable, found: "the invalid JSON path '\(text)'",
          expected: "a path of names and indices, such as 'user.ids[0]'",
          remedy: "if a name contains dots or brackets, quote the name and put it in brackets: '[\"a.b\"]'",
          className: owner, key: property.key)
      }
    } else {
      paths = [JSONPath(member: naming.name(property.key))]
    }
    var rules =
      mappings.lazy.compactMap { $0.rules[property.name] }.first
      ?? property.marks.reduce(into: JSONRules()) { $0.formUnion($1 as? JSONRules ?? []) }
    let isMember = mappings.lazy.compactMap { $0.includes(property.name) }.first ?? property.isMember
    if !isMember || property.isWeak && !rules.contains(.included) { rules.formUnion(.omitted) }
    if property.isWeak { rules.formUnion(.writeOnly) }
    self.rules = rules
    format =
      mappings.lazy.compactMap { $0.formats[property.name] }.first
      ?? property.marks.lazy.compactMap { $0 as? ValueFormat }.first
  }
}
