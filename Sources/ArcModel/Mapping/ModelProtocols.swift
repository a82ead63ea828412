public import Arc
public import ArcJSON

/// A class that says how its properties are mapped to JSON, or a structure or enumeration that says it of its
/// fields or cases.
///
///     extension User: ModelMapping {
///       class var mapping: JSONMapping { JSONMapping(naming: .snakeCase, except: ["token"]) }
///     }
///
/// A subclass inherits what its superclass says, or states its own in its declaration. A structure in a
/// property does not inherit what the class says, but for one that is embedded: its members are the object's
/// own. Of an enumeration only naming and paths count: they are for its cases, by their names, and naming
/// also for the labels of associated values.
public protocol ModelMapping: ArchivableValue {
  /// How the properties are mapped, those of superclasses too. Asked once for each reading and writing.
  static var mapping: JSONMapping { get }
}

/// A class of whose subclasses JSON tells which one an object is of.
///
///     import ArcJSON                                  // JSONNode
///
///     extension Shape: ModelChoosing {
///       static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
///         object["kind"]?.string == "circle" ? Circle.self : nil
///       }
///     }
public protocol ModelChoosing: Archivable {
  /// Tells the class for an object where one of this class is wanted.
  ///
  /// - Parameter object: the JSON object, of which anything can be asked.
  /// - Returns: this class or a subclass; nil for this class.
  /// - Throws: your own error for an object that is of none of these: it is refused.
  static func modelClass(for object: JSONNode) throws -> (any Archivable.Type)?
  /// Tells the class for an object, with what the reader was given; by default what `modelClass(for:)` tells.
  ///
  /// - Parameters:
  ///   - object: the JSON object, of which anything can be asked.
  ///   - context: what the reader was given for the program's code.
  /// - Returns: this class or a subclass; nil for this class.
  /// - Throws: your own error for an object that is of none of these: it is refused.
  static func modelClass(for object: JSONNode, in context: ArchiveContext) throws -> (any Archivable.Type)?
}

extension ModelChoosing {
  /// This class.
  public static func modelClass(for object: JSONNode) throws -> (any Archivable.Type)? { nil }
  /// What `modelClass(for:)` tells.
  public static func modelClass(
    for object: JSONNode, in context: ArchiveContext
  ) throws -> (any Archivable.Type)? { try modelClass(for: object) }
}

/// A class that changes or refuses JSON before objects are made of it.
///
/// Each such object costs a text of its own, inside of others one for each around it; issues in it have
/// the line and byte of where the object is. `JSONObject` needs `import ArcJSON`.
public protocol ModelReading: Archivable {
  /// Called for each object before it is read.
  ///
  /// - Parameter object: the members, which can be changed.
  /// - Throws: your own errors: the object is refused.
  static func willRead(_ object: inout JSONObject) throws
  /// Called for each object before it is read, with what the reader was given; by default it calls
  /// `willRead(_:)`.
  ///
  /// - Parameters:
  ///   - object: the members, which can be changed.
  ///   - context: what the reader was given for the program's code.
  /// - Throws: your own errors: the object is refused.
  static func willRead(_ object: inout JSONObject, in context: ArchiveContext) throws
}

extension ModelReading {
  /// Leaves the members as they are.
  public static func willRead(_ object: inout JSONObject) throws {}
  /// Calls `willRead(_:)`.
  public static func willRead(_ object: inout JSONObject, in context: ArchiveContext) throws {
    try willRead(&object)
  }
}

/// A class that changes or refuses the JSON that its objects are written as.
///
/// Each such object costs a text of its own. `JSONObject` needs `import ArcJSON`.
public protocol ModelWriting: Archivable {
  /// Called for each object when its members are written.
  ///
  /// - Parameter object: the members, which can be changed.
  /// - Throws: your own errors: writing ends with them.
  func willWrite(_ object: inout JSONObject) throws
  /// Called for each object when its members are written, with what the writer was given; by default it calls
  /// `willWrite(_:)`.
  ///
  /// - Parameters:
  ///   - object: the members, which can be changed.
  ///   - context: what the writer was given for the program's code.
  /// - Throws: your own errors: writing ends with them.
  func willWrite(_ object: inout JSONObject, in context: ArchiveContext) throws
}

extension ModelWriting {
  /// Leaves the members as they are.
  public func willWrite(_ object: inout JSONObject) throws {}
  /// Calls `willWrite(_:)`.
  public func willWrite(_ object: inout JSONObject, in context: ArchiveContext) throws {
    try willWrite(&object)
  }
}

/// A class whose objects finish or refuse themselves when they were read.
public protocol ModelFinishing: Archivable {
  /// Called for each object when it was read from JSON, after those that it refers to.
  ///
  /// - Throws: your own errors: the object is refused.
  func didRead() throws
  /// Called for each object when it was read from JSON, with what the reader was given; by default it calls
  /// `didRead()`.
  ///
  /// - Parameter context: what the reader was given for the program's code.
  /// - Throws: your own errors: the object is refused.
  func didRead(in context: ArchiveContext) throws
}

extension ModelFinishing {
  /// Does nothing.
  public func didRead() throws {}
  /// Calls `didRead()`.
  public func didRead(in context: ArchiveContext) throws { try didRead() }
}
