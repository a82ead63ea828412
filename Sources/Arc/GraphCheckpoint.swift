import ArcFormat
import ArcMemory

/// The saved values of a graph's objects, which can be restored in the same objects.
///
///     let checkpoint = try GraphCheckpoint(of: drawing)
///     drawing.shapes.removeLast()
///     checkpoint.restore()                           // the shape is back: the same object, not a copy
///
/// No object is replaced. Therefore, undo with checkpoints preserves selections, bindings and dictionaries
/// with `ObjectIdentifier` keys. A checkpoint covers the archived variables of every object that the graph
/// has when the checkpoint is created. A checkpoint covers neither `@Transient` properties nor the root
/// itself if the root is a structure or a collection.
///
/// A checkpoint retains the objects and their values. Arrays and strings share their memory with the graph
/// until the graph changes them. A checkpoint can be restored any number of times, even after another
/// checkpoint was restored. To redo, create another checkpoint before you restore the first one. Use a
/// checkpoint on the actor of its objects.
public struct GraphCheckpoint {
  private let objects: ContiguousArray<any Archivable>
  private let saved: [SavedProperty]

  /// The number of objects whose values the checkpoint saved.
  public var objectCount: Int { objects.count }

  /// Saves the values of all objects that a value reaches.
  ///
  /// A property is read from its stored field if Arc knows the field, otherwise by its getter. Hooks do not
  /// run.
  ///
  /// - Parameter root: the value.
  /// - Throws: `ArchiveError` with code `notArchivable` for an object of a hand-written class, because Arc
  ///   does not know its properties, or the code of the error for a value that cannot be archived.
  /// - Complexity: O(objects + values), in constant stack.
  public init(of root: some ArchivableValue) throws {
    // A box contains a value. Each walk of the graph creates new boxes, so a checkpoint cannot restore them.
    try self.init(ofObjects: GraphEncoder.objects(reachedFrom: root).filter { !($0 is any AnyValueBox) })
  }

  /// Saves the values of some objects.
  ///
  /// - Parameter objects: the objects. The checkpoint does not cover the objects to which they refer.
  /// - Throws: `ArchiveError` with code `notArchivable` for an object of a hand-written class.
  package init(ofObjects objects: ContiguousArray<any Archivable>) throws {
    self.objects = objects
    var saved: [SavedProperty] = []
    var variables: [ObjectIdentifier: [Variable]] = [:]
    for object in objects {
      let type = type(of: object)
      let known = try variables[ObjectIdentifier(type)] ?? Self.variables(of: type)
      variables[ObjectIdentifier(type)] = known
      for variable in known {
        if let property = try variable.access.saved(of: object, at: variable.location) {
          saved.append(property)
        }
      }
    }
    self.saved = saved
  }

  /// Sets all saved properties to their saved values. Omits each property that still has its saved value.
  ///
  /// Setters and observers run, so that bindings to the objects are updated. If an observer changes another
  /// property than its own, the saved value of the changed property is then restored without observers. After
  /// the call, all properties have their saved values. Objects that were added to the graph later keep their
  /// values, but no saved property refers to them.
  ///
  /// - Complexity: O(values).
  public func restore() {
    for property in saved { property.set() }
    for property in saved { property.store() }
  }

  /// A property that can be set, and the location of its value in the object. The location is nil if the
  /// property does not store its value in a field of its own.
  private struct Variable {
    let access: any PropertyAccess
    let location: StorageLocation?
  }

  /// Returns the variables of a class and of its superclasses.
  private static func variables(of type: any Archivable.Type) throws -> [Variable] {
    let programClass = try ProgramClass.of(type)
    guard !programClass.isKeyed else {
      throw ArchiveError(
        .notArchivable,
        found: "an object of class '\(programClass.schema.name)', which has a hand-written coder",
        expected: "an object of a class with @Archivable",
        remedy: "mark the class with @Archivable instead of implementing encode(to:) and init(from:)",
        className: programClass.schema.name)
    }
    return programClass.schema.lineage.flatMap { level in
      let fields = StoredField.all(of: level.type)
      return level.properties.filter(\.access.isSettable).map {
        Variable(access: $0.access, location: StorageLocation(of: $0, in: fields))
      }
    }
  }
}
