package import ArcRuntime

/// A class as it is declared by the code that reads its objects: all declarations that determine how rows of
/// a file are read.
package struct DeclaredClass {
  /// What happens to a property if the file has no column for it. Spec: 06-evolution, rule M3.
  package enum Absence: CaseIterable, Sendable {
    /// Reading the file is refused.
    case refused
    /// The property becomes nil.
    case becomesNil
    /// The property keeps its initial value.
    case keepsInitialValue
    /// The effect is not known, because the schema describes a file.
    case unknown

    /// The word that represents the effect in the text of a schema snapshot. Nil for `unknown`, which the
    /// text does not contain.
    package var word: String? {
      switch self {
      case .refused: "required"
      case .becomesNil: "optional"
      case .keepsInitialValue: "default"
      case .unknown: nil
      }
    }

    /// Creates the effect that a word in a schema snapshot represents. Nil for other words.
    init?(word: String) {
      guard let absence = Self.allCases.first(where: { $0.word == word }) else { return nil }
      self = absence
    }
  }

  /// A declared or inherited property.
  package struct Property {
    /// The keys under which files contain the property, the current key first.
    package let keys: [String]
    /// The name of the class that declares the property.
    package let declaringClass: String
    /// The type of the property's values.
    package let type: TypeEncoding
    /// The type of the values, including older fields that its structures convert to current fields.
    package let readType: TypeEncoding
    /// The effect if the file has no column for the property.
    package let absence: Absence
    /// The older keys from which the property is converted, grouped by conversion.
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

  /// The properties: first the properties of the class itself, then the properties of its superclasses.
  package let properties: [Property]
  /// The nodes of the properties, with one root per property.
  package let layout: ColumnLayout
  /// The older names of fields and cases in nested structures and enumerations.
  package let olderNames: [ExactName: [ExactName: [String]]]
  /// The fields and associated values in nested structures and enumerations that are known to have no initial
  /// value.
  package let requiredFields: [RequiredFields]
  /// Whether a hand-written coder reads the class. Such a coder can request any key.
  package let isKeyed: Bool

  /// Returns the indices of the columns of a file's class that may be read. Nil if a hand-written coder reads
  /// the class, because it can request any column.
  package func readColumns(of description: ClassDescription, _ matching: ColumnMatching) -> Set<Int>? {
    guard !isKeyed else { return nil }
    return matching.readColumns.union(matching.olderColumns(in: description) { properties[$0].older })
      .union(properties.indices.flatMap { alternatives(of: $0, in: description, matching).joined() })
  }

  /// Returns the columns of a file's class that may contain the value of a property. See
  /// `ColumnMatching.alternatives`.
  func alternatives(
    of property: Int, in description: ClassDescription, _ matching: ColumnMatching
  ) -> [[Int]] {
    // A hand-written coder itself requests the keys that it needs.
    if isKeyed { return matching.positions[property].map { [[$0]] } ?? [] }
    return matching.alternatives(
      ofProperty: property, keys: properties[property].keys, older: properties[property].older,
      in: description)
  }

  /// Returns a resolver that finds the sources of the nodes of `layout` in the columns of a class in a file.
  /// `layout` is the layout of this class or of some of its properties.
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
