public import ArcFormat
import ArcRuntime

/// An object of an archive before it is built: its class and its values by key, as the file has them.
///
/// A class gets those of its objects that an older version of it wrote, changes what became different, and
/// the object is then built from that as from any file:
///
///     @Archivable final class Line {
///       static let archiveVersion = 2
///       var width = 1.0                                   // version 1 had tenths of a point
///       static func migrate(_ line: inout MigratedObject, from version: Int) throws {
///         if let tenths = line["width"]?.int { line["width"] = .double(Double(tenths) / 10) }
///       }
///     }
///
/// References are numbers of objects, `ArchiveValue.objectID`; ``graph`` gives the objects that they lead
/// to.
public struct MigratedObject {
  /// The number of the object, which references to it have.
  public let id: ObjectID
  /// The coded name of the class that the object is built as; the file's, or that of the class that has taken
  /// the name over. Another one makes it an object of that class, in its present version.
  public var className: String
  /// The other objects of the archive.
  public let graph: MigratedGraph
  var properties: [Property]

  /// A value with the column that it comes from.
  struct Property {
    let key: String
    var value: ArchiveValue
    /// The column of the file's class; nil for a value that was set, or is another object's.
    var column: Int?
    /// Whether the program set the value: then it must be one of a property.
    var isSet = false
  }

  init(id: ObjectID, className: String, graph: MigratedGraph, properties: [Property]) {
    self.id = id
    self.className = className
    self.graph = graph
    self.properties = properties
  }

  /// The keys that have values, in the order of the file, then those that were set.
  public var keys: [String] { properties.map(\.key) }

  /// The value of a key, nil if there is none. An optional property that is nil has the value
  /// `ArchiveValue.null`, and one of type `Int??` that is `.some(nil)` has `.nestedNull(depth: 1)`.
  ///
  /// A value that is set must be one of the type of the property that has this key, as a number of that kind
  /// or with that many bits need not be told; to set nil removes the value. Where a class and its superclass
  /// have properties with one key, it is that of the class.
  public subscript(key: String) -> ArchiveValue? {
    get { properties.first { $0.key.hasSameBytes(as: key) }?.value }
    set {
      let position = properties.firstIndex { $0.key.hasSameBytes(as: key) }
      switch (position, newValue) {
      case (let position?, let value?):
        properties[position].value = value
        properties[position].column = nil
        properties[position].isSet = true
      case (let position?, nil): properties.remove(at: position)
      case (nil, let value?): properties.append(Property(key: key, value: value, isSet: true))
      case (nil, nil): break
      }
    }
  }

  /// The object's class and values as those of another object.
  func taken(over id: ObjectID) -> MigratedObject {
    let values = properties.map { Property(key: $0.key, value: $0.value, isSet: $0.isSet) }
    return MigratedObject(id: id, className: className, graph: graph, properties: values)
  }

  /// Has the value of one key under another; does nothing if there is none.
  public mutating func rename(_ key: String, to newKey: String) {
    guard let value = self[key] else { return }
    self[key] = nil
    self[newKey] = value
  }
}

/// The objects of an archive while some of them are migrated. Valid during the call of `migrate(_:from:)`.
public final class MigratedGraph {
  /// Nil when all objects are migrated: its bytes are the caller's.
  private var file: ArchiveFile?
  /// The objects that were added, without those that were taken by ``takeAdded()``.
  private var added: [MigratedObject] = []
  private var nextRow: Int
  /// Where references to a row lead instead; 0 for nowhere.
  private(set) var redirected: [Int: Int] = [:]
  /// The class whose code left out or merged the object of a row.
  private(set) var removers: [Int: String] = [:]
  /// The class whose code runs.
  var migratingClass = ""

  init(_ file: ArchiveFile) {
    self.file = file
    nextRow = file.rowCount
  }

  /// An object with the values that the file has for it, whether it was migrated before or not.
  ///
  /// - Parameter id: its number.
  /// - Returns: the object.
  /// - Throws: `ArchiveError` with code `danglingReference` if the file has no such object.
  public func object(_ id: ObjectID) throws -> MigratedObject {
    guard id.rawValue > 0 else {
      throw ArchiveError(.danglingReference, found: "object 0", expected: "1 or more", objectID: id)
    }
    guard let file else {
      throw ArchiveError(
        .invalidUse, found: "a graph outside of migrate(_:from:)", expected: "no calls when that has returned"
      )
    }
    let object = try file.object(id)
    return MigratedObject(
      id: id, className: object.className, graph: self,
      properties: object.properties.map {
        MigratedObject.Property(key: $0.key, value: $0.value, column: $0.columnIndex)
      })
  }

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - className: the coded name of its class, in its present version: it is not migrated.
  ///   - values: its values by key.
  /// - Returns: its number, for references to it.
  public func addObject(ofClass className: String, _ values: [String: ArchiveValue]) -> ObjectID {
    let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: nextRow))
    let properties = values.sorted { $0.key < $1.key }.map {
      MigratedObject.Property(key: $0.key, value: $0.value, isSet: true)
    }
    added.append(MigratedObject(id: id, className: className, graph: self, properties: properties))
    nextRow += 1
    return id
  }

  /// Leaves an object out: references to it become nil, or are left out of collections whose elements cannot
  /// be nil.
  ///
  /// - Throws: `ArchiveError` with code `danglingReference` if there is no such object.
  public func removeObject(_ id: ObjectID) throws {
    try check(id)
    redirected[Int(id.rawValue)] = 0
    removers[Int(id.rawValue)] = migratingClass
  }

  /// Has all references to an object lead to another one instead, with which it is merged.
  ///
  /// - Throws: `ArchiveError` with code `danglingReference` if there is no such object.
  public func replaceObject(_ id: ObjectID, with other: ObjectID) throws {
    try check(id)
    try check(other)
    if id == other { return }
    redirected[Int(id.rawValue)] = Int(other.rawValue)
    removers[Int(id.rawValue)] = migratingClass
  }

  private func check(_ id: ObjectID) throws {
    guard id.rawValue > 0, hasObject(id) else {
      throw ArchiveError(.danglingReference, found: "object \(id)", expected: "one that exists")
    }
  }

  /// Begins the use of the graph again.
  func begin(_ file: ArchiveFile) { self.file = file }

  /// Ends the use of the graph.
  func end() { file = nil }

  /// The objects that were added since the last call.
  func takeAdded() -> [MigratedObject] {
    defer { added = [] }
    return added
  }

  /// The type that the file has for a key of a class; nil if it has none.
  func type(ofKey key: String, inClass name: String) -> TypeEncoding? {
    let description = file?.classes.first { $0.name.hasSameBytes(as: name) }
    return description?.columns.first { $0.key.hasSameBytes(as: key) }?.attributes.type
  }

  /// Whether there is an object with a number.
  func hasObject(_ id: ObjectID) -> Bool { Int(id.rawValue) < nextRow }
}
