import ArcRuntime

// Registers types that a file may name although the declared types of the roots do not reach them: subclasses
// whose objects are stored in properties of their superclass's type, and types of values in properties of
// type `any P`.

extension ClassTable {
  /// Registers a class under its coded name, or under another name that the class has in files.
  ///
  ///     try classes.register(Circle.self)
  ///     try classes.register(Text.self, as: "Shapes.Label")   // the name in older files
  ///
  /// Register a class that has another name in older files, and a generic class that no declaration names. If
  /// the scope of the table is `declared`, also register each subclass whose objects are stored in properties
  /// of the superclass's type. Other classes that are declared types of properties need no registration.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - name: the name in files. (default: the coded name)
  /// - Throws: ``ClassTableError`` if the name belongs to another class.
  public func register<Class: Archivable>(_ type: Class.Type, as name: String? = nil) throws(ClassTableError)
  {
    try register(type as AnyClass, as: name ?? type.archiveSchema.name)
  }

  /// Registers a class under its coded name and under the names that it had in older files.
  ///
  ///     try classes.register(Text.self, formerly: "V1.Text", "Shapes.Text")
  ///
  /// Use this method if a class was renamed, or moved to another module or enclosing type, or if its generic
  /// arguments changed. New files contain the coded name, under which an older release of the program does
  /// not find the class. `@Archivable("V1.Text")` keeps the old name in new files.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - names: the older names, as `arcdump classes` shows them.
  /// - Throws: ``ClassTableError`` for the first name that belongs to another class. The names before that
  ///   name are registered.
  public func register<Class: Archivable>(_ type: Class.Type, formerly names: String...)
    throws(ClassTableError)
  {
    try register(type)
    for name in names { try register(type, as: name) }
  }

  /// Registers a value type under its coded name and under the names that it had in older files.
  ///
  ///     try classes.register(Position.self, formerly: "Point")
  ///
  /// - Parameters:
  ///   - type: a structure, an enumeration or another archivable type.
  ///   - names: the older names, as `arcdump classes` shows them.
  /// - Throws: ``ClassTableError`` for the first name that belongs to another type. The names before that
  ///   name are registered.
  @_disfavoredOverload
  public func register<Value: ArchivableValue>(_ type: Value.Type, formerly names: String...)
    throws(ClassTableError)
  {
    try register(type)
    for name in names { try register(type, as: name) }
  }

  /// Registers a value type, so that its values can be read from properties of type `any P` or `Any`.
  ///
  ///     try classes.register(Position.self)
  ///
  /// - Parameters:
  ///   - type: a structure, an enumeration or another archivable type.
  ///   - name: the name in files. (default: the coded name)
  /// - Throws: ``ClassTableError`` if the name belongs to another type.
  @_disfavoredOverload
  public func register<Value: ArchivableValue>(_ type: Value.Type, as name: String? = nil)
    throws(ClassTableError)
  {
    try register(ValueBox<Value>.self as AnyClass, as: name ?? type.__archiveName.text)
  }

  /// Registers several classes and value types under their coded names.
  ///
  ///     try classes.register(all: Circle.self, Square.self, Seat.self)
  ///
  /// - Parameter types: the types.
  /// - Throws: ``ClassTableError`` for the first type whose coded name belongs to another type. The types
  ///   before that type are registered.
  public func register(all types: any ArchivableValue.Type...) throws(ClassTableError) {
    for type in types {
      if let type = type as? any Archivable.Type { try register(type) } else { try register(value: type) }
    }
  }

  /// Registers the type of arrays whose elements have any type, for properties of type `Any`.
  ///
  ///     try classes.register([Any].self)
  ///
  /// Only a class table with the scope `declared` needs this registration.
  ///
  /// - Parameter type: the type `[Any]`.
  /// - Throws: ``ClassTableError`` if the coded name of the type belongs to another type.
  public func register(_ type: [Any].Type) throws(ClassTableError) {
    try register(value: [__Existential<Any>].self)
  }

  /// Registers a dictionary type with values of type `Any`, for dictionaries in properties of type `Any`.
  ///
  ///     try classes.register([String: Any].self)
  ///     try classes.register([AnyHashable: Any].self)
  ///
  /// Only a class table with the scope `declared` needs this registration.
  ///
  /// - Parameter type: the type of the dictionaries.
  /// - Throws: ``ClassTableError`` if the coded name of the type belongs to another type.
  public func register<Key: Hashable & ArchivableValue>(_ type: [Key: Any].Type) throws(ClassTableError) {
    try register(value: [Key: __Existential<Any>].self)
  }

  private func register<Value: ArchivableValue>(value type: Value.Type) throws(ClassTableError) {
    try register(type)
  }
}
