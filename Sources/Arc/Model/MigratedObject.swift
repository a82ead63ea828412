public import ArcArchive
public import ArcFormat
import ArcRuntime

/// An object of an archive before it is built: its class, and its values by key.
///
/// A class receives each object that an older version of the class wrote, and changes its values. The object
/// is then built from the changed values:
///
///     @Archivable final class Line {
///       static let archiveVersion = 2
///       var width = 1.0                                   // version 1 had tenths of a point
///       static func migrate(_ line: inout MigratedObject, from version: Int) throws {
///         if let tenths = line["width"]?.int { line["width"] = .double(Double(tenths) / 10) }
///       }
///     }
///
/// A reference in a value is an object number, see `ArchiveValue.objectID`. ``graph`` returns the object with
/// a number.
public struct MigratedObject {
  /// The number of the object. References to the object contain this number.
  public let id: ObjectID
  /// The coded name of the class whose initializer will create the object.
  ///
  /// In `migrate(_:from:)`, this is at first the current name of the class, even if the file has a former
  /// name. If you set the name of another class, Arc creates an object of that class, and treats the values
  /// as values of the current version of that class. An object that ``graph`` returns has the name from the
  /// file.
  public var className: String
  /// The objects of the archive, for access to the objects to which this object refers.
  public let graph: MigratedGraph
  var properties: [Property]

  /// A value of the object, and the column from which it was read.
  struct Property {
    let key: String
    var value: ArchiveValue
    /// The index of the column of the file from which the value was read. Nil if the program set the value,
    /// or if the value was read from another object.
    var column: Int?
    /// Whether the program set the value. If true, the value must fit a property.
    var isSet = false
  }

  init(id: ObjectID, className: String, graph: MigratedGraph, properties: [Property]) {
    self.id = id
    self.className = className
    self.graph = graph
    self.properties = properties
  }

  /// The keys that have values: first the keys in the file, in the order of the file, then the keys that the
  /// program set.
  public var keys: [String] { properties.map(\.key) }

  /// The value of a key. Nil if the object has no value for the key.
  ///
  /// An optional property that is nil has the value `ArchiveValue.null`. A property of type `Int??` with the
  /// value `.some(nil)` has `.nestedNull(depth: 1)`.
  ///
  /// Set a value that fits the type of the property with this key. A number may have another width than the
  /// property. Set nil to remove the value. If a class and its superclass both have a property with this key,
  /// the subscript accesses the property of the class.
  ///
  ///     if let tenths = line["width"]?.int { line["width"] = .double(Double(tenths) / 10) }
  ///     line["size"] = .fields(["width": 3, "height": 4])
  ///     line["shape"] = .case("circle", ["radius": 3])
  ///     line["frame"] = try ArchiveValue(Frame(x: 1, y: 2))
  ///
  /// - Parameter key: the key of the property.
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

  /// Returns an object with this object's class and values, and with the number of another object.
  func withID(_ id: ObjectID) -> MigratedObject {
    let values = properties.map { Property(key: $0.key, value: $0.value, isSet: $0.isSet) }
    return MigratedObject(id: id, className: className, graph: graph, properties: values)
  }

  /// Moves the value of a key to another key. Does nothing if the object has no value for the key.
  ///
  ///     line.rename("lineWidth", to: "width")
  ///
  /// - Parameters:
  ///   - key: the key in the file.
  ///   - newKey: the new key.
  public mutating func rename(_ key: String, to newKey: String) {
    guard let value = self[key] else { return }
    self[key] = nil
    self[newKey] = value
  }
}

/// The objects of an archive during a migration. A graph is valid only during a call of `migrate(_:from:)`.
public final class MigratedGraph {
  /// The archive. Nil when no migration runs: the bytes of the archive belong to the caller, and may be used
  /// only during a run.
  private var file: ArchiveFile?
  /// The added objects, without the objects that ``takeAdded()`` has returned.
  private var added: [MigratedObject] = []
  private var nextRow: Int
  /// The row of the new target, by the row of a removed or replaced object. 0 if references to the object
  /// become nil.
  private(set) var redirected: [Int: Int] = [:]
  /// The name of the class whose code removed or replaced an object, by the row of the object.
  private(set) var removers: [Int: String] = [:]
  /// The name of the class whose migration code is running.
  var migratingClass = ""

  init(_ file: ArchiveFile) {
    self.file = file
    nextRow = file.rowCount
  }

  /// Returns the object with a number, as the file contains it.
  ///
  ///     if let id = line["style"]?.objectID { line["width"] = try line.graph.object(id)["width"] }
  ///
  /// The values are the values in the file, even if the object has already been migrated.
  ///
  /// - Parameter id: the number of the object.
  /// - Returns: the object.
  /// - Throws: `ArchiveError` with code `danglingReference` if the file has no object with the number, or
  ///   `invalidUse` after `migrate(_:from:)` has returned.
  public func object(_ id: ObjectID) throws -> MigratedObject {
    guard id.rawValue > 0 else {
      throw ArchiveError(
        .danglingReference, found: "the object number 0", expected: "a number of at least 1", objectID: id)
    }
    guard let file else {
      throw ArchiveError(
        .invalidUse, found: "a use of the migrated graph after migrate(_:from:) returned",
        expected: "a use during the call of migrate(_:from:)"
      )
    }
    let object = try file.object(id)
    return MigratedObject(
      id: id, className: object.className, graph: self,
      properties: object.properties.map {
        MigratedObject.Property(key: $0.key, value: $0.value, column: $0.columnIndex)
      })
  }

  /// Adds an object. Returns its number, for references to the object.
  ///
  ///     line["style"] = .reference(line.graph.addObject(ofClass: "Style", ["width": 1.5]))
  ///
  /// - Parameters:
  ///   - className: the coded name of the object's class.
  ///   - values: the values by key. The values must fit the current version of the class, because the object
  ///     is not migrated.
  /// - Returns: the number of the object.
  public func addObject(ofClass className: String, _ values: [String: ArchiveValue]) -> ObjectID {
    let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: nextRow))
    let properties = values.sorted { $0.key < $1.key }.map {
      MigratedObject.Property(key: $0.key, value: $0.value, isSet: true)
    }
    added.append(MigratedObject(id: id, className: className, graph: self, properties: properties))
    nextRow += 1
    return id
  }

  /// Removes an object. References to the object become nil, or are removed from collections that cannot
  /// contain nil.
  ///
  /// - Parameter id: the number of the object.
  /// - Throws: `ArchiveError` with code `danglingReference` if no object has the number.
  public func removeObject(_ id: ObjectID) throws {
    try check(id)
    redirected[Int(id.rawValue)] = 0
    removers[Int(id.rawValue)] = migratingClass
  }

  /// Replaces an object: all references to the object refer to another object instead.
  ///
  /// - Parameters:
  ///   - id: the number of the object to replace.
  ///   - other: the number of the object to which the references will refer.
  /// - Throws: `ArchiveError` with code `danglingReference` if `id` or `other` is not an object's number.
  public func replaceObject(_ id: ObjectID, with other: ObjectID) throws {
    try check(id)
    try check(other)
    if id == other { return }
    redirected[Int(id.rawValue)] = Int(other.rawValue)
    removers[Int(id.rawValue)] = migratingClass
  }

  private func check(_ id: ObjectID) throws {
    guard id.rawValue > 0, hasObject(id) else {
      throw ArchiveError(
        .danglingReference, found: "the object number \(id), which no object has",
        expected: "the number of an existing object")
    }
  }

  /// Permits `object(_:)` again, for another run of the migration.
  func begin(_ file: ArchiveFile) { self.file = file }

  /// Ends a run of the migration. Later calls of `object(_:)` throw.
  func end() { file = nil }

  /// Returns the objects that were added since the last call of this method.
  func takeAdded() -> [MigratedObject] {
    defer { added = [] }
    return added
  }

  /// Returns the type of the values that objects of a class have under a key in the file. Nil if the file has
  /// no such class, or if the class has no such key.
  func type(ofKey key: String, inClass name: String) -> TypeEncoding? {
    let description = file?.classes.first { $0.name.hasSameBytes(as: name) }
    return description?.columns.first { $0.key.hasSameBytes(as: key) }?.attributes.type
  }

  /// Whether an object with the number exists.
  func hasObject(_ id: ObjectID) -> Bool { Int(id.rawValue) < nextRow }
}
