package import ArcFormat
import ArcRuntime

/// The kinds of values that the program declares for the properties of its classes. If a CSV file is imported
/// into these classes, its fields are read as values of these kinds.
package struct DeclaredColumns: Sendable {
  /// The kind of the values of a property.
  enum Kind: Sendable {
    case bool, integer, real, decimal, string, date, uuid
  }

  /// A property: the kind of its values, and whether a value can be nil.
  struct Column: Sendable {
    let kind: Kind
    let isOptional: Bool

    /// Creates the kind for a declared type. Nil if CSV has no notation for values of the type.
    init?(_ type: TypeEncoding) {
      var type = type
      var isOptional = false
      while case .optional(let wrapped) = type { (type, isOptional) = (wrapped, true) }
      switch type {
      case .scalar(.bool): kind = .bool
      case .scalar(.double), .scalar(.float), .scalar(.half): kind = .real
      case .scalar: kind = .integer
      case .object("NSString", _), .object("NSURL", _): kind = .string
      case .object("NSDecimalNumber", _): kind = .decimal
      case .object("NSDate", _): kind = .date
      case .object("NSUUID", _): kind = .uuid
      default: return nil
      }
      self.isOptional = isOptional
    }
  }

  /// The name of the class of the root, or of the root's elements. Nil if there is no such class.
  package let rootClass: String?
  private var columns: [ExactName: [ExactName: Column]] = [:]
  private var superclasses: [ExactName: String] = [:]

  /// Creates the columns of a program's schema.
  package init(_ schema: SchemaSnapshot) {
    rootClass = schema.roots.first.flatMap { Self.className(in: $0.type) }
    for entry in schema.classes {
      var columns: [ExactName: Column] = [:]
      for property in entry.properties {
        for key in property.keys { columns[ExactName(key)] = Column(property.type) }
      }
      self.columns[ExactName(entry.name)] = columns
      superclasses[ExactName(entry.name)] = entry.superclass
    }
    for entry in schema.classes {
      for name in entry.formerNames where self.columns[ExactName(name)] == nil {
        self.columns[ExactName(name)] = [:]
        superclasses[ExactName(name)] = entry.name
      }
    }
  }

  private static func className(in type: TypeEncoding) -> String? {
    switch type {
    case .object(let name?, _): name
    case .list(let element), .set(let element), .optional(let element), .weak(let element):
      className(in: element)
    default: nil
    }
  }

  /// Returns the property for a key, which the class declares or inherits. Nil if there is no such property,
  /// or if CSV has no notation for its values.
  func column(ofKey key: String, inClass name: String) -> Column? {
    var next: String? = name
    while let current = next, let known = columns[ExactName(current)] {
      if let column = known[ExactName(key)] { return column }
      next = superclasses[ExactName(current)]
    }
    return nil
  }
}
