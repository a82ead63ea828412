package import ArcRuntime

/// A class as those declare it who read its objects: all that decides what becomes of its rows in a file.
package struct DeclaredClass {
  /// What becomes of a property for which a file has no column. Spec: 06-evolution, rule M3.
  package enum Absence: CaseIterable, Sendable {
    /// The file is refused.
    case refused
    /// The property is nil.
    case becomesNil
    /// The property keeps its initial value.
    case keepsInitialValue
    /// The schema does not say: it is that of a file.
    case unknown

    /// The word for it in a snapshot; nil where the schema does not say.
    package var word: String? {
      switch self {
      case .refused: "required"
      case .becomesNil: "optional"
      case .keepsInitialValue: "default"
      case .unknown: nil
      }
    }

    /// What a word of a snapshot says; nil for other words.
    init?(word: String) {
      guard let absence = Self.allCases.first(where: { $0.word == word }) else { return nil }
      self = absence
    }
  }

  /// A property, own or inherited.
  package struct Property {
    /// The key in files, then older ones.
    package let keys: [String]
    /// The name of the class that declares it.
    package let declaringClass: String
    /// The type of its values.
    package let type: TypeEncoding
    /// The same with the older fields that structures convert.
    package let readType: TypeEncoding
    /// What becomes of it without a column.
    package let absence: Absence
    /// The keys of older values that it is made of, each with those that go with it.
    package let older: [[String]]

    /// Describes a property.
    package init(
      keys: [String], declaringClass: String, type: TypeEncoding, readType: TypeEncoding, absence: Absence,
      older: [[String]] = []
    ) {
      self.readType = readType
      self.keys = keys
      self.older = older
      self.declaringClass = declaringClass
      self.type = type
      self.absence = absence
    }

    var key: String { keys.first ?? "" }
  }

  /// The properties: the class's own first, then those of its superclasses.
  package let properties: [Property]
  /// The columns of the properties: a root for each.
  package let layout: ColumnLayout
  /// Older names of fields and cases in nested structures and enumerations.
  package let olderNames: [ExactName: [ExactName: [String]]]
  /// The fields in nested structures and enumerations that have no initial value, as far as is known.
  package let requiredFields: [RequiredFields]
  /// Whether code by hand reads it, which may ask for any key.
  package let isKeyed: Bool

  /// The indices of the columns of a class in a file that may be read; nil for all: code by hand may ask for
  /// any key.
  package func readColumns(of description: ClassDescription, _ matching: ColumnMatching) -> Set<Int>? {
    guard !isKeyed else { return nil }
    return matching.takenColumns.union(matching.olderColumns(in: description) { properties[$0].older })
      .union(properties.indices.flatMap { alternatives(of: $0, in: description, matching).joined() })
  }

  /// Where rows of a class in a file may have the value of a property.
  func alternatives(
    of property: Int, in description: ClassDescription, _ matching: ColumnMatching
  ) -> [[Int]] {
    // Code by hand asks for the keys that it wants.
    if isKeyed { return matching.positions[property].map { [[$0]] } ?? [] }
    return matching.alternatives(
      ofProperty: property, keys: properties[property].keys, older: properties[property].older,
      in: description)
  }

  /// What resolves the columns of a class in a file to those of the properties, or to another layout of some.
  func resolver(_ layout: ColumnLayout, of file: ColumnLayout) -> ColumnResolver {
    ColumnResolver(
      wanted: layout, file: file, olderNames: olderNames, requiredFields: requiredFields,
      hasInitialValues: true)
  }

  /// Describes a class.
  package init(
    properties: [Property], layout: ColumnLayout, olderNames: [ExactName: [ExactName: [String]]],
    requiredFields: [RequiredFields], isKeyed: Bool
  ) {
    self.properties = properties
    self.layout = layout
    self.olderNames = olderNames
    self.requiredFields = requiredFields
    self.isKeyed = isKeyed
  }
}
