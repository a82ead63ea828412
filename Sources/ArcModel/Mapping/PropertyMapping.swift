import Arc
import ArcJSON

/// How one property of a class is mapped: what its declaration, its class and the reader or writer say of it,
/// in one.
struct PropertyMapping {
  /// The ways to the value, the first of which it is written at.
  let paths: [JSONPath]
  /// Whether the paths were chosen, and not made of the key.
  let isExplicit: Bool
  let rules: JSONRules
  let format: ValueFormat?

  /// What a class declares of a property.
  struct Declaration {
    let name: String
    let key: String
    let marks: [any PropertyMark]
    let isWeak: Bool
  }

  /// What is said of the properties of a class otherwise than at their declarations.
  struct Source {
    private let type: any Archivable.Type
    private let mappings: [ClassMapping]
    private let naming: KeyNaming

    /// What counts for a class.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - given: what a reader or writer was given, by class.
    ///   - naming: how names are made where nothing else says it.
    init(of type: any Archivable.Type, _ given: [ObjectIdentifier: ClassMapping], _ naming: KeyNaming) {
      var mappings: [ClassMapping] = []
      if let own = given[ObjectIdentifier(type)] { mappings.append(own) }
      var schema: ClassSchema? = type.archiveSchema
      while let current = schema {
        if current.type != type, let own = given[ObjectIdentifier(current.type)] { mappings.append(own) }
        schema = current.superclass
      }
      if let type = type as? any ModelMapping.Type { mappings.append(type.mapping) }
      (self.type, self.mappings, self.naming) = (type, mappings, naming)
    }

    /// The mapping of a property; throws for a path that is none.
    func mapping(of property: Declaration) throws -> PropertyMapping {
      try PropertyMapping(property, of: type, mappings, naming)
    }
  }

  /// The mapping of a property of which several say something, the first of them first.
  private init(
    _ property: Declaration, of type: any Archivable.Type, _ mappings: [ClassMapping], _ naming: KeyNaming
  ) throws {
    let keys = property.marks.lazy.compactMap { $0 as? JSONKeys }.first
    let texts = mappings.lazy.compactMap { $0.paths[property.name] }.first { !$0.isEmpty } ?? keys?.paths
    isExplicit = texts != nil
    if let texts {
      paths = try texts.map { text in
        if let path = JSONPath(text), !path.steps.isEmpty { return path }
        throw ArchiveError(
          .notArchivable, found: "the JSON path '\(text)'",
          expected: "names and numbers, as in 'user.ids[0]'",
          remedy: "put names with dots or brackets in brackets and quotes: '[\"a.b\"]'",
          className: type.archiveSchema.name, key: property.key)
      }
    } else {
      let naming = mappings.lazy.compactMap(\.naming).first ?? naming
      paths = [JSONPath(member: naming.name(property.key))]
    }
    var rules =
      mappings.lazy.compactMap { $0.rules[property.name] }.first
      ?? property.marks.reduce(into: JSONRules()) { $0.formUnion($1 as? JSONRules ?? []) }
    let isListed = mappings.allSatisfy {
      $0.only?.contains(property.name) ?? true && !$0.except.contains(property.name)
    }
    if !isListed || property.isWeak && !rules.contains(.included) { rules.formUnion(.omitted) }
    if property.isWeak { rules.formUnion(.writeOnly) }
    self.rules = rules
    format =
      mappings.lazy.compactMap { $0.formats[property.name] }.first
      ?? property.marks.lazy.compactMap { $0 as? ValueFormat }.first
  }
}
