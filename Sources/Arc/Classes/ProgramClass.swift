import ArcFormat
import ArcMemory
import ArcRuntime
import Synchronization

/// The columns of a class as the program declares it: first the properties of the class itself, then the
/// properties of its superclasses.
///
/// There is one shared instance per class. In generated code, the slot numbers begin with the class's own
/// properties, so a class need not know how many properties a superclass in another module has.
final class ProgramClass: @unchecked Sendable {  // Everything is set in `init` and only read afterwards.
  let schema: ClassSchema
  let slots: [Slot]
  /// The layout of the class's columns, with one root per slot.
  let layout: ColumnLayout
  /// The layout for reading files. It includes the older fields that structures convert.
  let readLayout: ColumnLayout
  /// The classes to which the properties refer.
  let reachedClasses: [any Archivable.Type]
  /// The classes in `reachedClasses` that declare former names with `@Archivable(formerly:)`.
  let renamedClasses: [any Archivable.Type]
  /// The older names of fields and cases in nested structures and enumerations.
  let olderNames: [ExactName: [ExactName: [String]]]
  /// The keys of the older fields from which fields of nested structures are converted. The outer key is the
  /// name of the structure, the inner key is the name of the field. Each field has one list of keys per
  /// conversion.
  let olderFields: [ExactName: [ExactName: [[String]]]]
  /// The memory locations at which values are read and set without running code of the program. Nil if
  /// generated code reads and sets all properties.
  let fields: PropertyFields?
  /// Whether only one source file of the program can name the class.
  let isPrivate: Bool
  /// The actor to which the class's objects belong.
  let isolation: ActorIsolation
  /// Whether the class or a superclass is hand-written, so that its code chooses the keys.
  let isKeyed: Bool
  /// Whether an object of the class may be archived with references that it does not store. A getter, a
  /// wrapper or a hand-written coder can return such references.
  let hasComputedReferences: Bool
  /// The declared types of properties whose values can have types that no declaration names: `any P`. Also
  /// `Any` if a hand-written coder encodes the values.
  let interfaces: [Any.Type]
  /// For each class that inherits its `init(from:)`, the first slot of the class that declares this
  /// initializer. The key is the first slot of the inheriting class.
  private let inheritedInitializers: [Int: Int]
  /// Whether some class in the hierarchy inherits its `init(from:)`.
  var inheritsInitializers: Bool { !inheritedInitializers.isEmpty }

  /// A property. Each property has one column.
  struct Slot {
    let property: PropertySchema
    /// The schema name of the class that declares the property.
    let declaringClass: String
    /// The number of steps up the hierarchy to the declaring class. 0 for the class itself.
    let level: Int
    let attributes: PropertyAttributes
    let phase: DecodingPhase
    /// The first node of the property in the layout of the class.
    let root: Int
    /// Whether all references in the property's column must refer to earlier rows, because `init(from:)`
    /// reads them. Spec: 05-graph, rule G4.
    let isConstruction: Bool
    /// Whether the getter always returns the stored value. False if the property has a wrapper or is
    /// overridden in a subclass, because the getter can then return a reference that the object does not
    /// store.
    let isStored: Bool
    /// Whether the property is a collection that is archived as an array, but hashes or sorts its elements,
    /// and the hash or the order may depend on objects to which the elements refer.
    let hashesElements: Bool
    /// Whether the getter may return references that the object does not store.
    let hasComputedReferences: Bool
    /// The nodes of the class's layout whose references are read lazily or are unowned.
    let detachedNodes: [Int]
    /// The type encoding for reading files. It includes the older fields that structures convert.
    let readType: TypeEncoding
  }

  /// Returns the description of a class. Throws `notArchivable` if the class does not have its own schema.
  static func of(_ type: any Archivable.Type) throws -> ProgramClass {
    let identity = ObjectIdentifier(type)
    if let shape = known.withLock({ $0.shapes[identity] }) { return shape }
    let shape = try ProgramClass(type)
    return known.withLock { $0.shapes.insert(shape, for: identity) ? shape : $0.shapes[identity] ?? shape }
  }

  /// The descriptions that have been created. The type is not generic, so that its metadata is not created at
  /// run time.
  private struct Known {
    var shapes = ShortMap<ObjectIdentifier, ProgramClass>()
  }
  private static let known = Mutex(Known())

  /// Describes a class, which must have its own schema and a name that is not reserved for values. Spec:
  /// 05-graph, rules W2 and W3.
  private init(_ type: any Archivable.Type) throws {
    let schema = type.archiveSchema
    guard schema.type == type else {
      throw ArchiveError(
        .notArchivable, found: "class '\(type)', which inherits the schema of '\(schema.type)'",
        expected: "a class with a schema of its own", remedy: "mark class '\(type)' with @Archivable")
    }
    let context = __TypeEncodingContext()
    let older = __TypeEncodingContext(includingOlderFields: ())
    var slots: [Slot] = []
    var layout = ColumnLayout()
    var isKeyed = false
    var inheritedInitializers: [Int: Int] = [:]
    var next: ClassSchema? = schema
    var level = 0
    // The names of properties for which an examined subclass has a getter. Nil if every property may have
    // one.
    var overridden: Set<String>? = []
    var hasComputedReferences = false
    while let current = next {
      if current.isFilledAfterInit, current.superclass != nil {
        inheritedInitializers[slots.count] = slots.count + current.properties.count
      }
      guard !ColumnLayout.isReserved(current.name) else {
        throw ArchiveError(
          .nameConflict, found: "class '\(current.type)' with the coded name '\(current.name)'",
          expected: "a coded name that is not reserved for a value type and does not begin with '$'",
          remedy: "give the class another coded name with @Archivable(\"…\")")
      }
      guard current.version >= 0 else {
        throw ArchiveError(
          .notArchivable, found: "class '\(current.type)' with the archiveVersion \(current.version)",
          expected: "an archiveVersion of at least 0", className: current.name)
      }
      isKeyed = isKeyed || current.isKeyed
      for property in current.properties {
        let isReadAsStored = overridden.map { !$0.contains(property.name) } ?? false
        slots.append(try Slot(property, in: current, level: level, isReadAsStored, context, older, &layout))
        hasComputedReferences = hasComputedReferences || slots.last?.hasComputedReferences == true
      }
      // A hand-written class also encodes its inherited properties by keys.
      next = current.isKeyed ? nil : current.superclass
      if let next { try Self.checkClasses(between: current.type, and: next.type) }
      // A superclass between the two classes that is not archivable may also have getters.
      if let names = current.overriddenProperties, _getSuperclass(current.type) == next?.type {
        overridden?.formUnion(names)
      } else {
        overridden = nil
      }
      level += 1
    }
    self.schema = schema
    isPrivate = ReachableClasses.isPrivate((type as? any AnyValueBox.Type)?.valueType ?? type)
    isolation = ActorIsolation(
      mainActorType: schema.isolation === MainActor.shared ? schema.type : context.mainActorType)
    self.slots = slots
    fields = isKeyed ? nil : try PropertyFields(of: slots, in: schema.lineage)
    self.layout = layout
    let hasOlderFields = context.convertingRecordCount > 0
    readLayout = hasOlderFields ? try Self.readLayout(of: slots, presentIn: []) : layout
    self.isKeyed = isKeyed
    self.hasComputedReferences = isKeyed || hasComputedReferences || context.hasComputedReferences
    // Files have these values under older keys. They are not columns of the class.
    for slot in slots {
      for type in slot.property.olderValues.flatMap(\.types) { _ = type.__typeEncoding(in: older) }
    }
    interfaces = isKeyed ? [Any.self] : context.interfaces + older.interfaces
    self.inheritedInitializers = inheritedInitializers
    reachedClasses = context.classes + older.classes
    renamedClasses = context.renamedClasses + older.renamedClasses
    olderNames = context.olderNames
    olderFields = context.olderFields
  }

  /// Returns the layout of slots for reading files. The slots in `present` get a presence node, which states
  /// for each row whether it has a value.
  static func readLayout(of slots: [Slot], presentIn present: Set<Int>) throws(ArchiveError) -> ColumnLayout {
    var layout = ColumnLayout()
    for (index, slot) in slots.enumerated() {
      try layout.append(
        slot.readType, isWeak: slot.attributes.flags.contains(.weak), isKeyed: present.contains(index),
        includesOlderFields: true)
    }
    return layout
  }

  /// Throws `notArchivable` if a class between an archivable class and its archivable superclass has stored
  /// properties but no schema. Without this check, the values of these properties would be lost silently.
  private static func checkClasses(between subclass: AnyClass, and superclass: AnyClass) throws {
    var between: AnyClass? = _getSuperclass(subclass)
    while let type = between, type != superclass {
      guard StoredField.all(of: type).isEmpty else {
        throw ArchiveError(
          .notArchivable,
          found:
            "class '\(type)' without a schema, which is a superclass of '\(subclass)' and a subclass of "
            + "'\(superclass)'",
          expected: "a schema for each class with stored properties",
          remedy: "mark class '\(type)' with @Archivable")
      }
      between = _getSuperclass(type)
    }
  }

  /// Whether objects of the class may need other objects for their construction. Such an object gets its row
  /// after the objects that it needs.
  var hasConstructionReferences: Bool { isKeyed || slots.contains { $0.isConstruction } }

  /// Finds the class whose `init(from:)` creates the objects of a class: the class itself, or the superclass
  /// from which it inherits the initializer. `slot` is the first slot of the class. Returns the first slot of
  /// the class that was found.
  func initializerSlot(_ slot: Int) -> Int {
    var slot = slot
    while let next = inheritedInitializers[slot], next > slot { slot = next }
    return slot
  }

  /// Returns the location in an object's memory at which a slot's property is stored. Nil if the property is
  /// not stored in the object, or if the runtime does not describe the field.
  func location(ofSlot index: Int) -> StorageLocation? {
    StorageLocation(
      of: slots[index].property, in: StoredField.all(of: schema.lineage[slots[index].level].type))
  }

  /// Returns the columns for the class table. `lineage` contains the indices of the class, its superclass,
  /// and so on.
  func columns(lineage: [Int]) -> [ColumnDescription] {
    slots.map { slot in
      ColumnDescription(
        declaringClassIndex: lineage[slot.level], key: slot.property.keys[0],
        attributes: slot.attributes, flags: slot.isConstruction ? .construction : [])
    }
  }
}

extension ProgramClass.Slot {
  /// Appends the nodes of a property to `layout`, and decides in which phase the property is set. Throws
  /// `notArchivable` if only `init(from:)` could set a weak reference, unless the reference is in the value
  /// of a box. Spec: 05-graph, rule G8.
  fileprivate init(
    _ property: PropertySchema, in schema: ClassSchema, level: Int, _ isReadAsStored: Bool,
    _ context: __TypeEncodingContext, _ older: __TypeEncodingContext, _ layout: inout ColumnLayout
  ) throws {
    let convertingRecordCount = context.convertingRecordCount
    let hashedReferenceCount = context.hashedReferenceCount
    let referenceColumnCount = context.referenceColumnCount
    let type = property.valueType.__typeEncoding(in: context)
    hashesElements = context.hashedReferenceCount > hashedReferenceCount
    do { try context.checkNames() } catch { throw error.located(className: schema.name, key: property.name) }
    let traits = property.traits
    let root = layout.nodes.count
    try layout.append(type, isWeak: traits.contains(.weak))
    detachedNodes =
      traits.contains(.unowned)
      ? Array(layout.nodes.indices[root...])
      : context.detachedNodes(of: layout, from: root, since: referenceColumnCount)
    let containsWeak = layout.reaches(from: root) { $0.kind == .weak }
    var containsReference = layout.containsReference(root)
    if context.convertingRecordCount > convertingRecordCount {
      readType = property.valueType.__typeEncoding(in: older)
      // Older values may have references even if the current values have none.
      let readLayout = try ColumnLayout(of: readType, includesOlderFields: true)
      containsReference = containsReference || readLayout.containsReference(0)
    } else {
      readType = type
    }
    let isFilled =
      schema.isFilledAfterInit || (traits.contains(.wrapped) && traits.contains(.hasDefault))
    let canBeLinked =
      !traits.contains(.readOnly)
      && (isFilled || property.hasEmptyValue || traits.contains(.hasDefault) || traits.contains(.weak))
    phase =
      switch (containsReference || containsWeak, canBeLinked) {
      case (true, true):
        layout.containsHashedReferences(root) || hashesElements
          ? .hash : .link
      default: isFilled ? .fill : .initializer
      }
    isConstruction = containsReference && !canBeLinked
    // The value of a box is copied out of it when other objects are linked, so it is set before that.
    if containsWeak && !canBeLinked && !(schema.type is any AnyValueBox.Type) {
      throw ArchiveError(
        .notArchivable,
        found: "a weak reference in the property '\(property.name)', which only an initializer can set",
        expected: "a property that can be set after all objects are built",
        remedy: "make the property a 'var' with an initial value", className: schema.name, key: property.name)
    }
    isStored = isReadAsStored && traits.isDisjoint(with: .computed)
    hasComputedReferences = !isStored && (containsReference || containsWeak)
    self.root = root
    self.property = property
    declaringClass = schema.name
    self.level = level
    attributes = PropertyAttributes(type: type, flags: Self.flags(type, traits), ivar: "_" + property.name)
  }

  /// Returns the attributes that the Swift compiler writes for a property with a type and traits: `R` for
  /// `let`, `W` for `weak`, `&` for references, `C` for strings and collections, and always `N`.
  private static func flags(_ type: TypeEncoding, _ traits: __PropertyTraits) -> EncodingFlags {
    var flags: EncodingFlags = [.nonatomic]
    if traits.contains(.readOnly) { flags.insert(.readOnly) }
    if traits.contains(.weak) {
      flags.insert(.weak)
    } else if !traits.contains(.unowned) {
      switch type {
      case .object(let name?, _) where ColumnLayout.isReserved(name): flags.insert(.copy)
      case .object: flags.insert(.retain)
      case .list, .set, .dictionary, .optional(.object), .optional(.list), .optional(.set),
        .optional(.dictionary):
        flags.insert(.copy)
      default: break
      }
    }
    return flags
  }
}
