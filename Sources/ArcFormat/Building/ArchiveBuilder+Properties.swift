import ArcRuntime

// What callers of a builder say of a class: its properties, and their values for one object or for many.

extension ArchiveBuilder {
  /// A property of a class, or a named root.
  public struct Property: Hashable, Sendable {
    /// The key of the column.
    public var key: String
    /// The property attributes, such as `T@"NSString",N,R,V_name`.
    public var attributes: String
    /// Whether the column is a construction column, a keyed one, or neither.
    public var flags: ColumnDescription.Flags
    /// The coded name of the superclass that declares the property; nil for the class itself.
    public var declaringClass: String?

    /// Makes a property with an attribute string.
    public init(
      _ key: String, attributes: String, flags: ColumnDescription.Flags = [],
      declaredBy className: String? = nil
    ) {
      self.key = key
      self.attributes = attributes
      self.flags = flags
      declaringClass = className
    }

    /// Makes a property of a Swift type, whose values are added as they are.
    ///
    /// Of `ObjectID`, or collections of it, any object may be a value; a type encoding such as `@"Person"`
    /// says which class they are of.
    public init<Value: ColumnValue>(
      _ key: String, type: Value.Type, flags: ColumnDescription.Flags = [],
      declaredBy className: String? = nil
    ) {
      self.init(key, type: Value.__columnType.description, flags: flags, declaredBy: className)
    }

    /// Makes a property of a type encoding, for types that only `ArchiveValue` has a value of.
    public init(
      _ key: String, type: String, flags: ColumnDescription.Flags = [], declaredBy className: String? = nil
    ) {
      self.init(key, attributes: "T" + type, flags: flags, declaredBy: className)
    }
  }

  /// The key of a value and, where a class and its superclass use the same one, the class that declares it.
  public struct Key: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The key of the column.
    public var name: String
    /// The coded name of the declaring class; nil for the first column with that key, that of the most
    /// derived class.
    public var declaringClass: String?

    /// Makes a key, of any declaring class or of a given one.
    public init(_ name: String, declaredBy className: String? = nil) {
      self.name = name
      declaringClass = className
    }

    /// Makes a key of any declaring class.
    public init(stringLiteral name: String) { self.init(name) }

    /// Whether the names of both keys have the same bytes, as in files.
    public static func == (left: Key, right: Key) -> Bool {
      ExactName(left.name) == ExactName(right.name)
        && left.declaringClass.map(ExactName.init) == right.declaringClass.map(ExactName.init)
    }

    /// Hashes what `==` compares.
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

    /// Makes a column of Swift values, which are written as they are.
    public init<Value: ColumnValue>(_ key: Key, _ values: [Value]) {
      self.init(key, .swift(SwiftColumn(values)))
    }

    /// Makes a column of values of any kind.
    public init(_ key: Key, _ values: [ArchiveValue]) { self.init(key, .values(values)) }

    init(_ key: Key, _ values: ObjectValues) {
      self.key = key
      self.values = values
    }
  }
}
