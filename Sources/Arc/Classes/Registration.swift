import ArcRuntime

// Which types a file may name that no declared type of the roots leads to: subclasses that are stored as
// references to their superclass, and types of values in properties of type `any P`.

extension ClassTable {
  /// Registers a class under its coded name, or under another, such as one that it had in older files.
  ///
  /// Classes that the declared types of the root reach need no registration; subclasses that are stored as
  /// references to their superclass do.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - name: the name in files, by default the coded name.
  /// - Throws: ``ClassTableError`` if the name means another class.
  public func register<Class: Archivable>(_ type: Class.Type, as name: String? = nil) throws(ClassTableError)
  {
    try register(type as AnyClass, as: name ?? type.archiveSchema.name)
  }

  /// Registers a class under its coded name and the names that it had in older files, such as those of
  /// another module, of a type that it was nested in, or with other generic arguments.
  ///
  ///     try classes.register(Text.self, formerly: "V1.Text", "Shapes.Text")
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - names: the older names, as `arcdump classes` shows them.
  /// - Throws: ``ClassTableError`` for the first name that means another class; those before it are
  ///   registered.
  public func register<Class: Archivable>(_ type: Class.Type, formerly names: String...)
    throws(ClassTableError)
  {
    try register(type)
    for name in names { try register(type, as: name) }
  }

  /// Registers a type of values under its coded name and the names that it had in older files, as
  /// `register(_:formerly:)` does a class.
  ///
  /// - Parameters:
  ///   - type: a structure, an enumeration or another type whose values are archivable.
  ///   - names: the older names.
  /// - Throws: ``ClassTableError`` for the first name that means another type; those before it are
  ///   registered.
  @_disfavoredOverload
  public func register<Value: ArchivableValue>(_ type: Value.Type, formerly names: String...)
    throws(ClassTableError)
  {
    try register(type)
    for name in names { try register(type, as: name) }
  }

  /// Registers a type of values, so that they can be read where a property is declared as `any P` or `Any`.
  ///
  /// - Parameters:
  ///   - type: a structure, an enumeration or another type whose values are archivable.
  ///   - name: the name in files, by default the coded name.
  /// - Throws: ``ClassTableError`` if the name means another type.
  @_disfavoredOverload
  public func register<Value: ArchivableValue>(_ type: Value.Type, as name: String? = nil)
    throws(ClassTableError)
  {
    try register(ValueBox<Value>.self as AnyClass, as: name ?? type.__archiveName.text)
  }

  /// Registers several types under their coded names: classes, and types of values.
  ///
  ///     try classes.register(all: Circle.self, Square.self, Seat.self)
  ///
  /// - Throws: ``ClassTableError`` for the first whose name means another type; those before it are
  ///   registered.
  public func register(all types: any ArchivableValue.Type...) throws(ClassTableError) {
    for type in types {
      if let type = type as? any Archivable.Type { try register(type) } else { try register(value: type) }
    }
  }

  /// Registers arrays of values of any type, so that they can be read where a property is declared as `Any`.
  ///
  /// A class table that is not closed needs no registration of these.
  ///
  ///     try classes.register([Any].self)
  ///
  /// - Parameter type: the type `[Any]`.
  /// - Throws: ``ClassTableError`` if the name means another type.
  public func register(_ type: [Any].Type) throws(ClassTableError) {
    try register(value: [__Existential<Any>].self)
  }

  /// Registers dictionaries of values of any type, so that they can be read where a property is declared as
  /// `Any`.
  ///
  /// A class table that is not closed needs no registration of these.
  ///
  ///     try classes.register([String: Any].self)
  ///     try classes.register([AnyHashable: Any].self)
  ///
  /// - Parameter type: the type of the dictionaries.
  /// - Throws: ``ClassTableError`` if the name means another type.
  public func register<Key: Hashable & ArchivableValue>(_ type: [Key: Any].Type) throws(ClassTableError) {
    try register(value: [Key: __Existential<Any>].self)
  }

  private func register<Value: ArchivableValue>(value type: Value.Type) throws(ClassTableError) {
    try register(type)
  }
}
