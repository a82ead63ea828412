/// The schema of a class: its coded name, its archivable superclass, and its own properties.
public struct ClassSchema {
  /// The class that the schema describes. An object of a subclass without a schema of its own has the schema
  /// of a superclass.
  public let type: any Archivable.Type
  /// The coded name: the name of the class in files.
  public var name: String { codedName.text }
  let codedName: __ArchiveName
  /// The schema of the nearest archivable superclass. Nil if no superclass is archivable.
  public var superclass: ClassSchema? { parents.first }
  /// The schemas of the class and of its archivable superclasses, from the class upwards.
  package var lineage: [ClassSchema] {
    var lineage = [self]
    // A loop instead of `sequence(first:next:)`, whose metadata the runtime would create in the first call of
    // a process.
    while let next = lineage[lineage.count - 1].superclass { lineage.append(next) }
    return lineage
  }
  /// The archived properties that the class itself declares, in the order of their declarations.
  public let properties: [PropertySchema]
  /// Whether `init(from:)` leaves the properties at their initial values, and `link(from:)` sets them.
  let isFilledAfterInit: Bool
  /// The names of the properties of superclasses that the class overrides. Nil if they are unknown.
  package let overriddenProperties: [String]?
  /// Whether the class is hand-written, so that it chooses its keys itself.
  let isKeyed: Bool
  /// The version that the class declares. 0 if it declares no version.
  let version: Int
  /// The function that changes the values of an object that an older version of the class wrote. Nil if the
  /// class does not migrate.
  let migration: Migration?
  /// The actor to which the class is isolated. Nil if it is not isolated.
  let isolation: (any Actor)?
  /// A function that changes the values of an object that an older version of the class wrote.
  ///
  /// Called once per such object, before the object is built. `version` is the version in the file.
  public typealias Migration = (_ object: inout MigratedObject, _ version: Int) throws -> Void

  /// The schema of the superclass, or an empty array. It is in an array because a structure cannot contain
  /// itself.
  private let parents: [ClassSchema]

  /// Creates the schema of a hand-written class.
  ///
  ///     class var archiveSchema: ClassSchema { ClassSchema(Self.self, name: "Node", version: 2) }
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - name: the coded name of the class.
  ///   - version: the version of the encoded values, at least 0.
  ///   - migration: the function that changes the values of an object that an older version wrote; nil if the
  ///     class does not migrate.
  ///   - isolation: the actor to which the class is isolated. (default: the actor of the caller, which is
  ///     correct if the class itself calls the initializer)
  public init(
    _ type: any Archivable.Type, name: String, version: Int = 0, migration: Migration? = nil,
    isolation: (any Actor)? = #isolation
  ) {
    self.init(
      type, name: __ArchiveName(name), version: version, migration: migration, isolation: isolation)
  }

  init(
    _ type: any Archivable.Type, name: __ArchiveName, version: Int = 0, migration: Migration? = nil,
    isolation: (any Actor)?
  ) {
    let superclass = Self.superclass(of: type)
    self.init(
      type, name: name, version: version, migration: migration, isKeyed: true,
      parents: superclass.map { [$0] } ?? [], overrides: nil, isFilledAfterInit: false,
      properties: [], isolation: isolation)
  }

  /// Returns the schema of the nearest archivable superclass. Nil if no superclass is archivable.
  private static func superclass(of type: any Archivable.Type) -> ClassSchema? {
    var next: AnyClass? = _getSuperclass(type)
    while let current = next {
      if let superclass = current as? any Archivable.Type, superclass.archiveSchema.type == superclass {
        return superclass.archiveSchema
      }
      next = _getSuperclass(current)
    }
    return nil
  }

  /// Creates the schema of a class with generated coding.
  ///
  /// `announcement` is the nested type by which Arc finds a subclass at run time. The initializer does not
  /// use it; without the reference to this type, the optimizer would remove the type.
  @_documentation(visibility: internal)
  public init(
    _ type: any Archivable.Type, name: __ArchiveName, superclass: ClassSchema? = nil,
    announcement: Any.Type? = nil, version: Int = 0, migration: Migration? = nil,
    overrides: [String]? = [], isFilledAfterInit: Bool = false, properties: [PropertySchema],
    isolation: (any Actor)? = #isolation
  ) {
    self.init(
      type, name: name, version: version, migration: migration, isKeyed: false,
      parents: superclass.map { [$0] } ?? [], overrides: overrides,
      isFilledAfterInit: isFilledAfterInit, properties: properties,
      isolation: isolation)
  }

  private init(
    _ type: any Archivable.Type, name: __ArchiveName, version: Int, migration: Migration?, isKeyed: Bool,
    parents: [ClassSchema], overrides: [String]?, isFilledAfterInit: Bool, properties: [PropertySchema],
    isolation: (any Actor)?
  ) {
    self.version = version
    self.migration = migration
    self.isolation = isolation
    self.type = type
    codedName = name
    self.isKeyed = isKeyed
    overriddenProperties = overrides
    self.parents = parents
    self.isFilledAfterInit = isFilledAfterInit
    self.properties = properties
  }
}

/// A protocol by which Arc finds the subclasses with `@Archivable` in the program.
///
/// A subclass inherits its conformance to `Archivable`, and the Swift runtime does not list inherited
/// conformances. Therefore, the macro adds a nested type to each such subclass. The nested type conforms to
/// this protocol, and the runtime lists this conformance.
public protocol __Announcement {}

/// An archived property of a class, as declared in the program.
public struct PropertySchema {
  /// The name of the property in Swift.
  ///
  /// In encoded property attributes, the instance variable has this name with a leading underscore: `_title`
  /// for `title`.
  public let name: String
  /// The keys of the property in files: first the key that is written, then the older keys.
  public let keys: [String]
  /// The conversions that replace older properties with this property. For each conversion, the keys of the
  /// older properties whose values it converts.
  @_documentation(visibility: internal)
  public var older: [[String]] { olderValues.map(\.keys) }
  /// The older keys and the types of their values, one entry per conversion.
  let olderValues: [__OlderValues]
  /// The traits of the property's declaration, such as `let` or `weak`.
  @_documentation(visibility: internal)
  public let traits: __PropertyTraits
  /// The type of the property's values.
  @_documentation(visibility: internal)
  public let valueType: any ArchivableValue.Type
  let hasEmptyValue: Bool
  /// The marks that the program puts on the property for modules that use Arc, such as `@JSONRule` for
  /// ArcModel.
  @_documentation(visibility: internal)
  public let marks: [any __PropertyMark]

  /// The access by which the property of an object is read and set.
  let access: any PropertyAccess

  /// Creates a property from its getter and, unless it is a `let`, its setter.
  ///
  /// If the property has an initial value that is not a literal, `initial` returns this value. The parameters
  /// are closures, because key paths to stored properties would slow down each access in the whole program:
  /// the optimizer could no longer prove that an access is exclusive.
  @_documentation(visibility: internal)
  public init<Object: AnyObject, Value: ArchivableValue>(
    _ name: String, keys: [String]? = nil, older: [__OlderValues] = [], _ traits: __PropertyTraits = [],
    _ get: @escaping (Object) -> Value, _ set: ((Object, Value) -> Void)? = nil,
    initial: (() -> Value)? = nil, marks: [any __PropertyMark] = []
  ) {
    self.init(
      name, keys, older, traits, marks, form: Value.self,
      ClosureAccess<Object, Value, Value>(get, set, initial, empty: Value.__emptyValue))
  }

  /// Creates a property whose values are archived in another form.
  ///
  /// `archived` converts a value to the form, and `restored` converts the form back.
  @_documentation(visibility: internal)
  public init<Object: AnyObject, Value, Form: ArchivableValue>(
    _ name: String, keys: [String]? = nil, older: [__OlderValues] = [], _ traits: __PropertyTraits = [],
    _ get: @escaping (Object) -> Value, _ set: ((Object, Value) -> Void)? = nil,
    initial: (() -> Value)? = nil, archived: @escaping (Value) -> Form,
    restored: @escaping (Form) -> Value, marks: [any __PropertyMark] = []
  ) {
    self.init(
      name, keys, older, traits, marks, form: Form.self,
      ClosureAccess(
        get, set, initial, empty: Form.__emptyValue.map(restored), form: (archived, restored)))
  }

  private init<Form: ArchivableValue>(
    _ name: String, _ keys: [String]?, _ older: [__OlderValues], _ traits: __PropertyTraits,
    _ marks: [any __PropertyMark], form: Form.Type, _ access: any PropertyAccess
  ) {
    self.name = name
    self.marks = marks
    self.keys = keys ?? [name]
    olderValues = older
    self.traits = traits
    valueType = form
    hasEmptyValue = form.__emptyValue != nil
    self.access = access
  }
}

/// A mark that the program puts on a property for a module that uses Arc. The module finds the mark in the
/// property's schema.
///
/// `@JSONRule` and `@JSONFormat` are marks for ArcModel.
@_documentation(visibility: internal)
public protocol __PropertyMark: Sendable {}

/// The mark of a property that is declared `private` or `fileprivate`.
///
/// Archives contain the property. ArcModel neither reads the property from JSON nor writes it to JSON, unless
/// the property has another mark or a mapping names it.
@_documentation(visibility: internal)
public struct __PrivateAccess: __PropertyMark {
  /// Creates the mark.
  public init() {}
}

extension PropertySchema {
  /// The keys and types of values in older files from which a property's value is converted.
  @_documentation(visibility: internal)
  public struct __OlderValues {
    let keys: [String]
    let types: [any ArchivableValue.Type]
    /// Describes one older key of a property, and the type of the values under this key.
    public init<Old: ArchivableValue>(_ key: String, _ type: Old.Type) { (keys, types) = ([key], [type]) }
    /// Describes two older keys of a property, and the types of the values under these keys.
    public init<Old1: ArchivableValue, Old2: ArchivableValue>(
      _ key1: String, _ key2: String, _ types: (Old1, Old2).Type
    ) {
      (keys, self.types) = ([key1, key2], [Old1.self, Old2.self])
    }
    /// Describes three older keys of a property, and the types of the values under these keys.
    public init<Old1: ArchivableValue, Old2: ArchivableValue, Old3: ArchivableValue>(
      _ key1: String, _ key2: String, _ key3: String, _ types: (Old1, Old2, Old3).Type
    ) {
      (keys, self.types) = ([key1, key2, key3], [Old1.self, Old2.self, Old3.self])
    }
  }
}

/// The traits of a property's declaration, apart from its type.
@_documentation(visibility: internal)
public struct __PropertyTraits: OptionSet, Hashable, Sendable {
  /// The traits as bits of an integer.
  public let rawValue: UInt8
  /// Creates traits from the bits of an integer.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The trait of a property that is a `let`.
  public static let readOnly = __PropertyTraits(rawValue: 1 << 0)
  /// The trait of a property that is a weak reference.
  public static let weak = __PropertyTraits(rawValue: 1 << 1)
  /// The trait of a property that is an unowned reference.
  public static let unowned = __PropertyTraits(rawValue: 1 << 2)
  /// The trait of a property that has an initial value.
  public static let hasDefault = __PropertyTraits(rawValue: 1 << 3)
  /// The trait of a property that has `willSet` or `didSet`.
  public static let observed = __PropertyTraits(rawValue: 1 << 4)
  /// The trait of a property that has a property wrapper.
  public static let wrapped = __PropertyTraits(rawValue: 1 << 5)
  /// The trait of a property whose getter may run code that the declaration does not show.
  ///
  /// The property is `dynamic`, or an attribute or macro that Arc does not know may have changed the getter.
  public static let opaque = __PropertyTraits(rawValue: 1 << 6)
  /// The trait of a property whose initial value is a literal. The property also has the trait `hasDefault`.
  public static let hasLiteralDefault = __PropertyTraits(rawValue: 1 << 7)
  /// The traits of properties whose getter can return a value other than the stored value.
  static let computed: __PropertyTraits = [.wrapped, .opaque]
}
