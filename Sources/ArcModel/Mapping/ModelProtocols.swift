public import Arc
public import ArcJSON

/// A type that states the JSON mapping of its properties, fields or cases.
///
///     extension User: ModelMapping {
///       class var mapping: JSONMapping { JSONMapping(naming: .snakeCase, except: ["token"]) }
///     }
///
/// A subclass inherits the mapping of its superclass, or states its own in its declaration. A structure in a
/// property does not inherit the mapping of the class, unless it is embedded: its fields are then members of
/// the object. For an enumeration, only naming and paths are used. Both apply to the cases, by name. Naming
/// also applies to the labels of associated values.
public protocol ModelMapping: ArchivableValue {
  /// The mapping of the properties, including properties of superclasses.
  ///
  /// Arc reads `mapping` once per reading or writing.
  static var mapping: JSONMapping { get }
}

/// A class that chooses the subclass of an object from the object's JSON.
///
///     import ArcJSON                                  // JSONNode
///
///     extension Shape: JSONClassChoosing {
///       static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
///         object["kind"]?.string == "circle" ? Circle.self : nil
///       }
///     }
public protocol JSONClassChoosing: Archivable {
  /// Returns the class of an object, where an object of this class is expected.
  ///
  /// - Parameter object: the JSON object.
  /// - Returns: this class or a subclass. Nil if the object has this class.
  /// - Throws: your own error, if the object has none of these classes. The object is then rejected.
  static func modelClass(for object: JSONNode) throws -> (any Archivable.Type)?
  /// Returns the class of an object, with the context of the reader.
  ///
  /// By default it calls `modelClass(for:)`.
  ///
  /// - Parameters:
  ///   - object: the JSON object.
  ///   - context: the values that the caller of the reader supplied.
  /// - Returns: this class or a subclass. Nil if the object has this class.
  /// - Throws: your own error, if the object has none of these classes. The object is then rejected.
  static func modelClass(for object: JSONNode, in context: ArchiveContext) throws -> (any Archivable.Type)?
}

extension JSONClassChoosing {
  /// Returns nil, so that the object has this class.
  public static func modelClass(for object: JSONNode) throws -> (any Archivable.Type)? { nil }
  /// Calls `modelClass(for:)`.
  public static func modelClass(
    for object: JSONNode, in context: ArchiveContext
  ) throws -> (any Archivable.Type)? { try modelClass(for: object) }
}

/// A class that changes or rejects the JSON of its objects before they are read.
///
///     extension User: JSONPreprocessing {
///       static func willRead(_ object: inout JSONObject) throws { object["name"] = object["fullName"] }
///     }
///
/// Each such object, and each object that contains it, is first converted to a separate JSON text. This costs
/// time. Issues within the object have the line and the byte offset of the object. `JSONObject` requires
/// `import ArcJSON`.
public protocol JSONPreprocessing: Archivable {
  /// Called once per object, before the object is read.
  ///
  /// - Parameter object: the members. The method may change them.
  /// - Throws: your own errors. The object is then rejected.
  static func willRead(_ object: inout JSONObject) throws
  /// Called once per object, before the object is read, with the context of the reader.
  ///
  /// By default it calls `willRead(_:)`.
  ///
  /// - Parameters:
  ///   - object: the members. The method may change them.
  ///   - context: the values that the caller of the reader supplied.
  /// - Throws: your own errors. The object is then rejected.
  static func willRead(_ object: inout JSONObject, in context: ArchiveContext) throws
}

extension JSONPreprocessing {
  /// Leaves the members unchanged.
  public static func willRead(_ object: inout JSONObject) throws {}
  /// Calls `willRead(_:)`.
  public static func willRead(_ object: inout JSONObject, in context: ArchiveContext) throws {
    try willRead(&object)
  }
}

/// A class that changes or rejects the JSON in which its objects are written.
///
///     extension User: JSONPostprocessing {
///       func willWrite(_ object: inout JSONObject) { object["kind"] = "user" }
///     }
///
/// Each object of the class is first written as a separate JSON text. This costs time. `JSONObject` requires
/// `import ArcJSON`.
public protocol JSONPostprocessing: Archivable {
  /// Called once per object, after its members are built, before they are written.
  ///
  /// - Parameter object: the members. The method may change them.
  /// - Throws: your own errors. Writing then fails.
  func willWrite(_ object: inout JSONObject) throws
  /// Called once per object, after its members are built, with the context of the writer.
  ///
  /// By default it calls `willWrite(_:)`.
  ///
  /// - Parameters:
  ///   - object: the members. The method may change them.
  ///   - context: the values that the caller of the writer supplied.
  /// - Throws: your own errors. Writing then fails.
  func willWrite(_ object: inout JSONObject, in context: ArchiveContext) throws
}

extension JSONPostprocessing {
  /// Leaves the members unchanged.
  public func willWrite(_ object: inout JSONObject) throws {}
  /// Calls `willWrite(_:)`.
  public func willWrite(_ object: inout JSONObject, in context: ArchiveContext) throws {
    try willWrite(&object)
  }
}

/// A class whose objects complete or reject themselves after they are read from JSON.
///
///     extension User: ModelFinishing {
///       func didRead() throws { if name.isEmpty { throw EmptyName() } }
///     }
public protocol ModelFinishing: Archivable {
  /// Called once per object, after the object and the objects that it refers to are read from JSON.
  ///
  /// - Throws: your own errors. The object is then rejected.
  func didRead() throws
  /// Called once per object, after the object is read from JSON, with the context of the reader.
  ///
  /// By default it calls `didRead()`.
  ///
  /// - Parameter context: the values that the caller of the reader supplied.
  /// - Throws: your own errors. The object is then rejected.
  func didRead(in context: ArchiveContext) throws
}

extension ModelFinishing {
  /// Does nothing.
  public func didRead() throws {}
  /// Calls `didRead()`.
  public func didRead(in context: ArchiveContext) throws { try didRead() }
}
