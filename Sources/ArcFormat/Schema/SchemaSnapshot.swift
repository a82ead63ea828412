package import ArcRuntime

/// A text that describes the schema of a program or a file, to be stored and reviewed with the code.
///
/// Check the snapshot in a test target. The first run of the test writes the snapshot to the file:
///
///     import ArcTesting
///
///     func testSchemaIsTheReviewedOne() throws {
///       try SchemaSnapshot.check(Document.self, against: folder.appending(path: "Document.schema"))
///     }
///
/// A class has one line for itself and one line for each property that it declares. The line of a property
/// contains its key, its Swift type, its attributes, and its type encoding:
///
///     Arc schema 1
///
///     root root: [Person] | $[@"Person"]
///
///     class Person: Animal, was OldPerson
///       name: String | let, required, was fullName | @"NSString"
///       mother: Person | weak, optional | @"Person"
///       in Point: x was left
///       in Point: y from height
///
/// | attribute | meaning |
/// |---|---|
/// | `let`, `weak` | the property is declared with this keyword |
/// | `keyed` | a hand-written coder wrote the property, and may omit it |
/// | `required` | a file without the property cannot be read |
/// | `optional` | the property is nil if a file does not have it |
/// | `default` | the property keeps its initial value if a file does not have it |
/// | `from` | the older key, or the older keys joined by `+`, from which the value is converted |
/// | `was` | the older keys under which the property is also read |
///
/// The schema of a file does not have the attributes `required`, `optional` and `default`. A name is quoted
/// if it contains other characters than letters, digits and `.<>_$`. `\u{…}` represents characters that are
/// unsafe in a terminal. The Swift types are for people: comparisons use the type encodings.
///
/// Invariant: the superclass of each class is among the classes, and no class inherits from itself.
public struct SchemaSnapshot: Sendable {
  package var roots: [Root]
  /// The classes, in the order of the bytes of their names.
  package private(set) var classes: [Class]
  /// The position of each class in `classes`, by current name.
  private(set) var positions: [ExactName: Int] = [:]
  /// The position of each class in `classes`, by former name.
  private(set) var formerPositions: [ExactName: Int] = [:]

  /// Creates a snapshot. The class names must be distinct, and each superclass must be among the classes.
  package init(roots: [Root], classes: [Class]) {
    self.roots = roots
    self.classes = classes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for (position, entry) in self.classes.enumerated() {
      positions[ExactName(entry.name)] = position
      for name in entry.formerNames { formerPositions[ExactName(name)] = position }
    }
  }

  /// A named root.
  package struct Root: Sendable {
    package let name: String
    package let type: TypeEncoding
    /// The type, including older fields that its structures convert to current fields. Only snapshots that
    /// were created from a program have these fields, because the text does not contain them.
    package let readType: TypeEncoding
    package var olderNames: [OlderNames] = []
    package let requiredFields: [RequiredFields]

    /// Describes a root.
    package init(
      name: String, type: TypeEncoding, readType: TypeEncoding? = nil, olderNames: [OlderNames] = [],
      requiredFields: [RequiredFields] = []
    ) {
      self.readType = readType ?? type
      self.requiredFields = requiredFields
      self.name = name
      self.type = type
      self.olderNames = olderNames
    }
  }

  /// A class, with the properties that it declares itself.
  package struct Class: Sendable {
    package let name: String
    package let superclass: String?
    /// The version that the class declares.
    package let version: UInt64
    /// Whether the class migrates objects of its older versions. False in a parsed snapshot, because the text
    /// does not contain this information.
    package var migrates = false
    /// Whether a hand-written coder reads and writes the class, including inherited properties.
    package let isKeyed: Bool
    /// The other names under which files may contain the class.
    package let formerNames: [String]
    package var properties: [Property] = []
    package var olderNames: [OlderNames] = []
    package let requiredFields: [RequiredFields]

    /// Describes a class.
    package init(
      name: String, superclass: String?, version: UInt64, isKeyed: Bool, formerNames: [String],
      properties: [Property] = [], olderNames: [OlderNames] = [], requiredFields: [RequiredFields] = []
    ) {
      self.requiredFields = requiredFields
      self.name = name
      self.superclass = superclass
      self.version = version
      self.isKeyed = isKeyed
      self.formerNames = formerNames
      self.properties = properties
      self.olderNames = olderNames
    }
  }

  /// A property, or a key that a hand-written coder used.
  package struct Property: Sendable {
    /// The keys under which files contain the property, the current key first.
    package let keys: [String]
    package let type: TypeEncoding
    /// The type, including the older fields from which current fields of its structures are converted. Only
    /// snapshots that were created from a program contain older fields, because the text of a snapshot omits
    /// them.
    package let readType: TypeEncoding
    package let absence: DeclaredClass.Absence
    package let isReadOnly: Bool
    package let isWeak: Bool
    package let isKeyed: Bool
    /// The older keys from which the property is converted, grouped by conversion.
    package let older: [[String]]

    /// Describes a property.
    package init(
      keys: [String], type: TypeEncoding, readType: TypeEncoding? = nil, absence: DeclaredClass.Absence,
      isReadOnly: Bool, isWeak: Bool, isKeyed: Bool = false, older: [[String]] = []
    ) {
      self.readType = readType ?? type
      self.older = older
      self.keys = keys
      self.type = type
      self.absence = absence
      self.isReadOnly = isReadOnly
      self.isWeak = isWeak
      self.isKeyed = isKeyed
    }

    var key: String { keys.first ?? "" }
  }

  /// The older names of a field in a structure or of a case in an enumeration, or the older fields from which
  /// a field is converted.
  package struct OlderNames: Sendable {
    package let type: String
    package let label: String
    package let names: [String]
    /// The names of the older fields from which the field is converted, grouped by conversion. Either
    /// `conversions` or `names` is empty.
    package let conversions: [[String]]

    /// Creates the older names of a field or case.
    package init(type: String, label: String, names: [String] = [], conversions: [[String]] = []) {
      self.type = type
      self.label = label
      self.names = names
      self.conversions = conversions
    }

    /// Combines the older names and the older fields of all types into one list. The list is ordered by the
    /// bytes of the type name and the label.
    package static func list(
      _ olderNames: [ExactName: [ExactName: [String]]], _ olderFields: [ExactName: [ExactName: [[String]]]]
    ) -> [OlderNames] {
      let renamed = olderNames.flatMap { type, labels in
        labels.map { OlderNames(type: type.text, label: $0.text, names: $1) }
      }
      let converted = olderFields.flatMap { type, labels in
        labels.map { OlderNames(type: type.text, label: $0.text, conversions: $1) }
      }
      return (renamed + converted).sorted {
        ($0.type + "\0" + $0.label).utf8.lexicographicallyPrecedes(($1.type + "\0" + $1.label).utf8)
      }
    }
  }

  /// Returns the class with a current name. Nil if no class has this name.
  func entry(named name: String) -> Class? { positions[ExactName(name)].map { classes[$0] } }

  /// Returns the class and its superclasses, from the class upwards.
  func lineage(of entry: Class) -> [Class] {
    var lineage = [entry]
    while let next = lineage[lineage.count - 1].superclass.flatMap(self.entry(named:)) {
      lineage.append(next)
    }
    return lineage
  }
}

extension SchemaSnapshot: Hashable {
  /// Returns whether both snapshots have the same text.
  public static func == (one: SchemaSnapshot, other: SchemaSnapshot) -> Bool {
    one.description.hasSameBytes(as: other.description)
  }

  /// Hashes the text of the snapshot.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactName(description)) }
}
