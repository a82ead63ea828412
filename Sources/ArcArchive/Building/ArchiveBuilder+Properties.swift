public import ArcFormat
import ArcRuntime

// The properties of a class, and their values for one object or several objects.

extension ArchiveBuilder {
  /// A property of a class, or a named root, for an ``ArchiveBuilder``.
  public struct Property: Hashable, Sendable {
    /// The key of the property.
    public var key: String
    /// The attributes of the property in the notation of Objective-C, such as `T@"NSString",N,R,V_name`.
    public var attributes: String
    /// Whether objects may have no value for the property. If false, every object has a value. Properties
    /// that hand-written coding writes are keyed.
    public var isKeyed: Bool
    /// Whether an object cannot be built without the objects in the property, as with a `let` property. If
    /// true, the property can refer only to objects with lower numbers.
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

    /// Creates a property from a string with property attributes.
    ///
    /// - Parameters:
    ///   - key: the key of the property.
    ///   - attributes: the attributes of the property, such as `T@"NSString",N,R,V_name`.
    ///   - isKeyed: whether objects may have no value for the property.
    ///   - isConstruction: whether an object cannot be built without the objects in the property.
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

    /// Creates a property whose values have a Swift type.
    ///
    ///     let friends = ArchiveBuilder.Property("friends", type: [ObjectID].self)
    ///
    /// A property of type `ObjectID`, or of a collection of `ObjectID`, can refer to objects of any class. To
    /// allow only objects of one class, create the property with a type encoding such as `@"Person"`.
    ///
    /// - Parameters:
    ///   - key: the key of the property.
    ///   - type: the type of the values.
    ///   - isKeyed: whether objects may have no value for the property.
    ///   - isConstruction: whether an object cannot be built without the objects in the property.
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
    ///   - key: the key of the property.
    ///   - type: the type encoding.
    ///   - isKeyed: whether objects may have no value for the property.
    ///   - isConstruction: whether an object cannot be built without the objects in the property.
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
  /// State the declaring class if a class and its superclass have properties with the same key.
  public struct Key: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The key of the property.
    public var name: String
    /// The coded name of the class that declares the property. If nil, the key selects the first property
    /// with the name: the property of the most derived class.
    public var declaringClass: String?

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: the key of the property.
    ///   - className: the coded name of the class that declares the property; nil if any class may declare
    ///     the property.
    public init(_ name: String, declaredBy className: String? = nil) {
      self.name = name
      declaringClass = className
    }

    /// Creates a key without a declaring class.
    ///
    /// If several classes declare a property with the name, the key selects the property of the most derived
    /// class.
    public init(stringLiteral name: String) { self.init(name) }

    /// Returns whether two keys have names with the same bytes and the same declaring class.
    public static func == (left: Key, right: Key) -> Bool {
      ExactName(left.name) == ExactName(right.name)
        && left.declaringClass.map(ExactName.init) == right.declaringClass.map(ExactName.init)
    }

    /// Hashes the name and the declaring class.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ExactName(name))
      hasher.combine(declaringClass.map(ExactName.init))
    }
  }

  /// The values of one property for several objects, in the order of the objects.
  ///
  ///     .init("age", [36, nil])                  // a column of Int?
  ///     .init("born", [.date(0), .date(1)])      // a column of dates, as ArchiveValue
  public struct Column {
    /// The key of the property.
    public let key: Key
    let values: ObjectValues

    /// Creates a column from values of a Swift type.
    ///
    /// - Parameters:
    ///   - key: the key of the property.
    ///   - values: one value for each object.
    public init<Value: ColumnValue>(_ key: Key, _ values: [Value]) {
      self.init(key, .swift(SwiftColumn(values)))
    }

    /// Creates a column from `ArchiveValue`s, which can represent values of every type.
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
