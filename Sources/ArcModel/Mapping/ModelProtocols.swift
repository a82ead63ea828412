public import Arc
public import ArcJSON

/// A type that declares the JSON mapping of its properties, fields or cases.
///
///     @Archivable class User: ModelMapping {
///       var fullName = ""
///       var visits = 0
///       class var mapping: JSONMapping { JSONMapping(naming: .snakeCase, except: ["visits"]) }
///     }
///
/// The mapping of a superclass also applies to its subclasses. A subclass that overrides `mapping` adds to
/// the mapping of its superclass; see ``JSONMapping``. Declare `mapping` in the class itself and not in an
/// extension, because a subclass cannot override a member of an extension.
///
/// A structure in a property does not inherit the mapping of the class. An embedded structure
/// (``JSONRules/embedded``) is an exception: it inherits the naming strategy of the class, because its fields
/// are members of the object. For an enumeration, a mapping must contain only `naming` and `paths`. The paths
/// rename cases. The naming strategy applies to cases and to the labels of associated values.
///
/// A static property `mapping` has no effect if the type does not conform to this protocol.
public protocol ModelMapping: ArchivableValue {
  /// The mapping of the properties. It may include properties of superclasses.
  ///
  /// The mapping must not change while the program runs, because readers and writers with equal options share
  /// what they learn about classes. For different mappings of one class, use
  /// ``ModelReader/setMapping(_:for:)`` and ``ModelWriter/setMapping(_:for:)``.
  static var mapping: JSONMapping { get }
}

/// A class that chooses the subclass of an object from the object's JSON.
///
///     import ArcJSON                                  // JSONNode
///
///     @Archivable class Shape: JSONClassChoosing {
///       class func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
///         object["kind"]?.string == "circle" ? Circle.self : nil
///       }
///     }
///
/// The methods are called only if the class or a superclass conforms to this protocol.
public protocol JSONClassChoosing: Archivable {
  /// Returns the class that a reader builds for a JSON object.
  ///
  /// A reader may call this method several times for one JSON object, so the method should not have effects.
  ///
  /// - Parameter object: the JSON object. Its `document` may contain only this object.
  /// - Returns: this class or a subclass. Nil means this class.
  /// - Throws: your own error, if the JSON fits no class. A strict reader throws this error. A lenient reader
  ///   rejects the object, and reports an issue with this error as ``ModelIssue/underlyingError``.
  static func modelClass(for object: JSONNode) throws -> (any Archivable.Type)?
  /// Returns the class that a reader builds for a JSON object, using the reader's context.
  ///
  /// The default implementation calls `modelClass(for:)`.
  ///
  /// - Parameters:
  ///   - object: the JSON object. Its `document` may contain only this object.
  ///   - context: the values that the caller of the reader supplied.
  /// - Returns: this class or a subclass. Nil means this class.
  /// - Throws: your own error, if the JSON fits no class. A strict reader throws this error. A lenient reader
  ///   rejects the object, and reports an issue with this error as ``ModelIssue/underlyingError``.
  static func modelClass(for object: JSONNode, in context: ArchiveContext) throws -> (any Archivable.Type)?
}

extension JSONClassChoosing {
  /// Returns nil. A reader then builds an object of this class for every JSON object.
  public static func modelClass(for object: JSONNode) throws -> (any Archivable.Type)? { nil }
  /// Calls `modelClass(for:)` and ignores the context.
  public static func modelClass(
    for object: JSONNode, in context: ArchiveContext
  ) throws -> (any Archivable.Type)? { try modelClass(for: object) }
}

/// A class that changes or rejects the JSON of its objects before they are read.
///
///     @Archivable class User: JSONPreprocessing {
///       var name = ""
///       class func willRead(_ object: inout JSONObject) throws { object["name"] = object["fullName"] }
///     }
///
/// The methods are called only if the class or a superclass conforms to this protocol.
///
/// The reader first converts each JSON object of the class to a separate JSON text, which makes reading
/// slower. An issue within such an object has the line and the byte offset of the whole object. `JSONObject`
/// requires `import ArcJSON`.
public protocol JSONPreprocessing: Archivable {
  /// Called once per JSON object, before the reader reads the object.
  ///
  /// - Parameter object: the members of the object. The method may change the members.
  /// - Throws: your own errors. A strict reader throws the same error. A lenient reader rejects the object,
  ///   and reports an issue with this error as ``ModelIssue/underlyingError``.
  static func willRead(_ object: inout JSONObject) throws
  /// Called once per JSON object, before the reader reads the object, with the reader's context.
  ///
  /// The default implementation calls `willRead(_:)`.
  ///
  /// - Parameters:
  ///   - object: the members of the object. The method may change the members.
  ///   - context: the values that the caller of the reader supplied.
  /// - Throws: your own errors. A strict reader throws the same error. A lenient reader rejects the object,
  ///   and reports an issue with this error as ``ModelIssue/underlyingError``.
  static func willRead(_ object: inout JSONObject, in context: ArchiveContext) throws
}

extension JSONPreprocessing {
  /// Leaves the members unchanged.
  public static func willRead(_ object: inout JSONObject) throws {}
  /// Calls `willRead(_:)` and ignores the context.
  public static func willRead(_ object: inout JSONObject, in context: ArchiveContext) throws {
    try willRead(&object)
  }
}

/// A class that changes or rejects the JSON that a writer writes for its objects.
///
///     @Archivable class User: JSONPostprocessing {
///       var name = ""
///       func willWrite(_ object: inout JSONObject) { object["kind"] = "user" }
///     }
///
/// The methods are called only if the class or a superclass conforms to this protocol.
///
/// The writer first writes each object of the class as a separate JSON text. This makes writing slower.
/// `JSONObject` requires `import ArcJSON`.
public protocol JSONPostprocessing: Archivable {
  /// Called once per object, after its JSON members are built and before they are written.
  ///
  /// - Parameter object: the members of the object. The method may change the members.
  /// - Throws: your own errors. Writing then fails.
  func willWrite(_ object: inout JSONObject) throws
  /// Called once per object, before its JSON members are written, with the writer's context.
  ///
  /// The default implementation calls `willWrite(_:)`.
  ///
  /// - Parameters:
  ///   - object: the members of the object. The method may change the members.
  ///   - context: the values that the caller of the writer supplied.
  /// - Throws: your own errors. Writing then fails.
  func willWrite(_ object: inout JSONObject, in context: ArchiveContext) throws
}

extension JSONPostprocessing {
  /// Leaves the members unchanged.
  public func willWrite(_ object: inout JSONObject) throws {}
  /// Calls `willWrite(_:)` and ignores the context.
  public func willWrite(_ object: inout JSONObject, in context: ArchiveContext) throws {
    try willWrite(&object)
  }
}

/// A class whose objects complete or reject themselves after they are read from JSON.
///
///     @Archivable class User: ModelFinishing {
///       var name = ""
///       func didRead() throws { if name.isEmpty { throw EmptyName() } }
///     }
///
/// The methods are called only if the class or a superclass conforms to this protocol. Declare them in the
/// class itself and not in an extension, because a subclass cannot override a member of an extension.
public protocol ModelFinishing: Archivable {
  /// Called once per object, after the reader read the object and its references from JSON.
  ///
  /// - Throws: your own errors. A strict reader throws the same error. A lenient reader rejects the object,
  ///   and reports an issue with this error as ``ModelIssue/underlyingError``.
  func didRead() throws
  /// Called once per object, after the object is read from JSON, with the reader's context.
  ///
  /// The default implementation calls `didRead()`.
  ///
  /// - Parameter context: the values that the caller of the reader supplied.
  /// - Throws: your own errors. A strict reader throws the same error. A lenient reader rejects the object,
  ///   and reports an issue with this error as ``ModelIssue/underlyingError``.
  func didRead(in context: ArchiveContext) throws
}

extension ModelFinishing {
  /// Does nothing.
  public func didRead() throws {}
  /// Calls `didRead()` and ignores the context.
  public func didRead(in context: ArchiveContext) throws { try didRead() }
}
