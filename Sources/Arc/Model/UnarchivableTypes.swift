import ArcFormat

// The functions that generated code calls with a type that is not archivable. They are never called at run
// time: `__checkDeclarations` of the same type does not compile, which causes the only error.

extension ArchiveError {
  fileprivate static var undeclared: ArchiveError {
    ArchiveError(.notArchivable, found: "a type that is not archivable", expected: "an archivable type")
  }
}

extension __SlotEncoder {
  /// Throws, because the property's type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func encode<Value: ~Copyable>(_ value: @autoclosure () -> Value, at slot: Int) throws {
    throw ArchiveError.undeclared
  }

  /// Throws, because the property's class is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func encodeWeak<Object>(_ object: Object?, at slot: Int) throws { throw ArchiveError.undeclared }

  /// Throws, because the property's type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func encodeUnowned<Value>(_ value: Value, at slot: Int) throws { throw ArchiveError.undeclared }
}

// If a declaration has another error, such as a misspelled type, it has no type. Only a parameter of type
// `Never` accepts it without a second error.

extension __SlotEncoder {
  /// Throws, because the type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func encodeWeak(_ object: Never?, at slot: Int) throws { throw ArchiveError.undeclared }
}

extension ColumnWriter {
  /// Throws, because the type is not archivable. The compiler has already reported this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func writeWeak(_ object: Never?, at index: Int) throws { throw ArchiveError.undeclared }
}

extension __SlotDecoder {
  /// Throws, because the property's type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func value<Value: ~Copyable>(_ slot: Int) throws -> Value { throw ArchiveError.undeclared }

  /// Throws, because the property's type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func value<Value: ~Copyable>(
    _ slot: Int, default initial: @autoclosure () throws -> Value
  ) throws -> Value {
    throw ArchiveError.undeclared
  }

  /// Throws, because the property's type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func value<Value: ~Copyable, Made>(_ slot: Int, older: () throws -> Made?) throws -> Value {
    throw ArchiveError.undeclared
  }

  /// Throws, because the type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func value<Value: ~Copyable, Made>(
    _ slot: Int, default initial: @autoclosure () throws -> Value, older: () throws -> Made?
  ) throws -> Value {
    throw ArchiveError.undeclared
  }

  /// Throws, because the type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func link<Value: ~Copyable>(
    _ slot: Int, like property: @autoclosure () -> Value
  ) throws -> Value? {
    throw ArchiveError.undeclared
  }
}

extension ColumnWriter {
  /// Throws, because the field's type is not archivable. The compiler has already reported this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func write<Value: ~Copyable>(_ value: borrowing Value, at index: Int) throws {
    throw ArchiveError.undeclared
  }

  /// Throws, because the field's class is not archivable. The compiler has already reported this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func writeWeak<Object>(_ object: Object?, at index: Int) throws { throw ArchiveError.undeclared }

  /// Throws, because the field's type is not archivable. The compiler has already reported this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func writeUnowned<Value>(_ value: Value, at index: Int) throws { throw ArchiveError.undeclared }
}

extension ColumnReader {
  /// Throws, because the field's type is not archivable. The compiler has already reported this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func value<Value: ~Copyable>(_ index: Int) throws -> Value { throw ArchiveError.undeclared }

  /// Throws, because the field's type is not archivable. The compiler has already reported this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func value<Value: ~Copyable>(
    _ index: Int, default initial: @autoclosure () throws -> Value
  ) throws -> Value {
    throw ArchiveError.undeclared
  }

  /// Throws, because the field's type is not archivable. The compiler has already reported this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func value<Owner, Value: ~Copyable>(
    _ index: Int, of property: (Owner) -> Value
  ) throws -> Value {
    throw ArchiveError.undeclared
  }

  /// Throws, because the field's type is not archivable. The compiler has already reported this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func valueIfPresent<Owner, Value: ~Copyable>(
    _ index: Int, of property: (Owner) -> Value
  ) throws -> Value? {
    throw ArchiveError.undeclared
  }
}

extension ObjectDecoder {
  /// Throws, because the type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func __older<Old, Made, Value: ~Copyable>(
    _ slot: Int, _ key: String, _ type: Old.Type, _ convert: (Old) throws -> Made,
    like property: @autoclosure () -> Value
  ) throws -> Value? {
    throw ArchiveError.undeclared
  }

  /// Throws, because the type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func __older<Old1, Old2, Made, Value: ~Copyable>(
    _ slot: Int, _ key1: String, _ key2: String, _ types: (Old1, Old2).Type,
    _ convert: (Old1, Old2) throws -> Made, like property: @autoclosure () -> Value
  ) throws -> Value? {
    throw ArchiveError.undeclared
  }

  /// Throws, because the type is not archivable. The compiler has already reported this.
  @_disfavoredOverload
  public func __older<Old1, Old2, Old3, Made, Value: ~Copyable>(
    _ slot: Int, _ key1: String, _ key2: String, _ key3: String, _ types: (Old1, Old2, Old3).Type,
    _ convert: (Old1, Old2, Old3) throws -> Made, like property: @autoclosure () -> Value
  ) throws -> Value? {
    throw ArchiveError.undeclared
  }
}

extension __TypeEncodingContext {
  /// Returns an empty description, because the type is not archivable. The compiler has already reported
  /// this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func member<Owner>(
    _ name: String, keys: [String]? = nil, _ traits: __PropertyTraits = [], _ get: (Owner) -> Never,
    _ set: ((inout Owner, Never) -> Void)? = nil, marks: [any __PropertyMark] = []
  ) -> Member {
    Member(keys: [], encoding: nil)
  }
}

extension PropertySchema {
  /// Creates an empty description, because the type is not archivable. The compiler has already reported
  /// this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public init<Object: AnyObject>(
    _ name: String, keys: [String]? = nil, older: [__OlderValues] = [], _ traits: __PropertyTraits = [],
    _ get: @escaping (Object) -> Never, _ set: ((Object, Never) -> Void)? = nil,
    initial: (() -> Never)? = nil, marks: [any __PropertyMark] = []
  ) {
    self.init(name, traits, { (_: Object) in false })
  }
}

extension __TypeEncodingContext {
  /// Returns an empty description, because the type is not archivable. The compiler has already reported
  /// this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func member<Owner, Value: ~Copyable>(
    _ name: String, keys: [String]? = nil, _ traits: __PropertyTraits = [], _ get: (Owner) -> Value,
    _ set: ((inout Owner, consuming Value) -> Void)? = nil, marks: [any __PropertyMark] = []
  ) -> Member {
    Member(keys: [], encoding: nil)
  }

  /// Returns an empty description, because the type is not archivable. The compiler has already reported
  /// this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func member<Owner, Value, Form>(
    _ name: String, keys: [String]? = nil, _ traits: __PropertyTraits = [], _ get: (Owner) -> Value,
    _ set: ((inout Owner, Value) -> Void)? = nil, archived: (Value) -> Form, marks: [any __PropertyMark] = []
  ) -> Member {
    Member(keys: [], encoding: nil)
  }

  /// Returns an empty description, because the type is not archivable. The compiler has already reported
  /// this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func associatedValue<Value: ~Copyable>(
    _ label: String, _ type: Value.Type, hasInitialValue: Bool = false
  ) -> Member {
    Member(keys: [], encoding: nil)
  }
}

extension PropertySchema {
  /// Creates an empty description, because the type is not archivable. The compiler has already reported
  /// this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public init<Object: AnyObject, Value: ~Copyable>(
    _ name: String, keys: [String]? = nil, older: [__OlderValues] = [], _ traits: __PropertyTraits = [],
    _ get: @escaping (Object) -> Value, _ set: ((Object, consuming Value) -> Void)? = nil,
    initial: (() -> Value)? = nil, marks: [any __PropertyMark] = []
  ) {
    self.init(name, traits, { (_: Object) in false })
  }
  /// Creates an empty description, because the type is not archivable. The compiler has already reported
  /// this.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public init<Object: AnyObject, Value, Form>(
    _ name: String, keys: [String]? = nil, _ traits: __PropertyTraits = [],
    _ get: @escaping (Object) -> Value, _ set: ((Object, Value) -> Void)? = nil,
    initial: (() -> Value)? = nil, archived: (Value) -> Form, restored: (Form) -> Value,
    marks: [any __PropertyMark] = []
  ) {
    self.init(name, traits, { (_: Object) in false })
  }
}
