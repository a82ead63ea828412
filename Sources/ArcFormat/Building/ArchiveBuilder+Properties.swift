import ArcRuntime

// What callers of a builder say of a class: its properties, and their values for one object or for many.

extension ArchiveBuilder {
  /// A property of a class, or a named root, for an ``ArchiveBuilder``.
  public struct Property: Hashable, Sendable {
    /// The key of the column.
    public var key: String
    /// The property attributes, such as `T@"NSString",N,R,V_name`.
    public var attributes: String
    /// Whether the column is a keyed column: a row may have no value in it, as if a hand-written coder wrote
    /// it.
    public var isKeyed: Bool
    /// Whether the column is a construction column: its objects are needed to build the object, as in a `let`
    /// property. References in the column refer only to earlier objects.
    public var isConstruction: Bool
    /// The coded name of the superclass that declares the property; nil if the class itself declares the
    /// property.
    public var declaringClass: String?

    /// The flags of the column.
    var flags: ColumnDescription.Flags {
      var flags: ColumnDescription.Flags = isKeyed ? .keyed : []
      if isConstruction { flags.insert(.construction) }
      return flags
    }

    /// Creates a property from an attribute string.
    ///
    /// - Parameters:
    ///   - key: the key of the column.
    ///   - attributes: the property attributes, such as `T@"NSString",N,R,V_name`.
    ///   - isKeyed: whether the column is a keyed column.
    ///   - isConstruction: whether the column is a construction column.
    ///   - className: the superclass that declares the property; nil if the class itself declares the
    ///     property.
    public init(
      _ key: String, attributes: String, isKeyed: Bool = false, isConstruction: Bool = false,
      declaredBy className: String? = nil
    ) {
      self.key = key
      self.attributes = attributes
      self.isKeyed = isKeyed
      self.isConstruction = isConstruction
      declaringClass = className
    }

    /// Creates a property of a Swift type.
    ///
    ///     let friends = ArchiveBuilder.Property("friends", type: [ObjectID].self)
    ///
    /// A property of type `ObjectID`, or of a collection of `ObjectID`, can refer to objects of any class.
    /// Use a type encoding such as `@"Person"` to state the class.
    ///
    /// - Parameters:
    ///   - key: the key of the column.
    ///   - type: the type of the values.
    ///   - isKeyed: whether the column is a keyed column.
    ///   - isConstruction: whether the column is a construction column.
    ///   - className: the superclass that declares the property; nil if the class itself declares the
    ///     property.
    public init<Value: ColumnValue>(
      _ key: String, type: Value.Type, isKeyed: Bool = false, isConstruction: Bool = false,
      declaredBy className: String? = nil
    ) {
      self.init(
        key, type: Value.__columnType.description, isKeyed: isKeyed, isConstruction: isConstruction,
        declaredBy: className)
    }

    /// Creates a property from a type encoding, for types whose values only `ArchiveValue` can represent.
    ///
    ///     let friend = ArchiveBuilder.Property("friend", type: "@\"Person\"")
    ///
    /// - Parameters:
    ///   - key: the key of the column.
    ///   - type: the type encoding.
    ///   - isKeyed: whether the column is a keyed column.
    ///   - isConstruction: whether the column is a construction column.
    ///   - className: the superclass that declares the property; nil if the class itself declares the
    ///     property.
    public init(
      _ key: String, type: String, isKeyed: Bool = false, isConstruction: Bool = false,
      declaredBy className: String? = nil
    ) {
      self.init(
        key, attributes: "T" + type, isKeyed: isKeyed, isConstruction: isConstruction, declaredBy: className)
    }
  }

  /// The key of a property, and optionally the class that declares the property.
  ///
  /// State the class if a class and its superclass use the same key.
  public struct Key: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The key of the column.
    public var name: String
    /// The coded name of the class that declares the property. Nil selects the first column with the key: the
    /// column of the most derived class.
    public var declaringClass: String?

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: the key of the column.
    ///   - className: the coded name of the class that declares the property; nil if any class may declare
    ///     it.
    public init(_ name: String, declaredBy className: String? = nil) {
      self.name = name
      declaringClass = className
    }

    /// Creates a key without a declaring class: it matches the first column with this name.
    public init(stringLiteral name: String) { self.init(name) }

    /// Returns whether both keys have the same bytes and the same declaring class.
    public static func == (left: Key, right: Key) -> Bool {
      ExactName(left.name) == ExactName(right.name)
        && left.declaringClass.map(ExactName.init) == right.declaringClass.map(ExactName.init)
    }

    /// Hashes the key and the declaring class.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ExactName(name))
      hasher.combine(declaringClass.map(ExactName.init))
    }
  }

  /// The values of one property for several objects, in the order of the objects.
  ///
  ///     .init("age", [36, nil])                  // a column of Int?
  ///     .init("born", [.date(0), .date(1)])      // a column that no type of this module stands for
  public struct Column {
    /// The key of the property.
    public let key: Key
    let values: ObjectValues

    /// Creates a column from Swift values.
    ///
    /// - Parameters:
    ///   - key: the key of the property.
    ///   - values: one value for each object.
    public init<Value: ColumnValue>(_ key: Key, _ values: [Value]) {
      self.init(key, .swift(SwiftColumn(values)))
    }

    /// Creates a column from values of any type.
    ///
    /// - Parameters:
    ///   - key: the key of the property.
    ///   - values: one value for each object.
    public init(_ key: Key, _ values: [ArchiveValue]) { self.init(key, .values(values)) }

    init(_ key: Key, _ values: ObjectValues) {
      self.key = key
      self.values = values
    }
  }
}
