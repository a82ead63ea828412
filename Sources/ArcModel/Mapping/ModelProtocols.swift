public import Arc
public import ArcJSON

/// A class that says how its properties are mapped to JSON.
///
///     extension User: ModelMapping {
///       class var mapping: ClassMapping { ClassMapping(naming: .snakeCase, except: ["token"]) }
///     }
///
/// A subclass inherits what its superclass says, or states its own in its declaration.
public protocol ModelMapping: Archivable {
  /// How the properties are mapped, those of superclasses too. Asked once for each reading and writing.
  static var mapping: ClassMapping { get }
}

/// A class of whose subclasses JSON tells which one an object is of.
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
  static func modelClass(for object: JSONNode) -> (any Archivable.Type)?
}

/// A class that changes or refuses JSON before objects are made of it.
///
/// Each such object costs a text of its own.
public protocol ModelPreparing: Archivable {
  /// Called for each object before it is read.
  ///
  /// - Parameter object: the members, which can be changed.
  /// - Throws: your own errors: the object is refused.
  static func willRead(_ object: inout JSONObject) throws
}

/// A class that changes or refuses the JSON that its objects are written as.
///
/// Each such object costs a text of its own.
public protocol ModelWriting: Archivable {
  /// Called for each object when its members are written.
  ///
  /// - Parameter object: the members, which can be changed.
  /// - Throws: your own errors: writing ends with them.
  func willWrite(_ object: inout JSONObject) throws
}

/// A class whose objects finish or refuse themselves when they were read.
public protocol ModelFinishing: Archivable {
  /// Called for each object when it was read from JSON, after those that it refers to.
  ///
  /// - Throws: your own errors: the object is refused.
  func didRead() throws
}
