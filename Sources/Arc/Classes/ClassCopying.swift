import ArcFormat
import ArcMemory
import ArcRuntime

/// Copies objects of a class in memory.
///
/// Invariant: the objects consist of their archived properties, and the values of the properties contain only
/// archived content. So a copy in memory has the values that it would have after archiving and reading.
struct ClassCopying {
  private let layout: ObjectMemoryLayout
  /// The locations at which an object of the class may refer to itself: references to objects, and arrays of
  /// references.
  private let references: [FieldLocation]
  private let lists: [FieldLocation]

  /// Returns nil if objects of the class cannot be copied in memory: the class has stored properties that are
  /// not archived, hooks or hand-written coders; a value may contain content that is not archived; or a value
  /// may refer to the copied object at a location in memory that Arc cannot find.
  init?(of programClass: ProgramClass) {
    let type = programClass.schema.type
    guard !programClass.isKeyed, !(type is any __ArchiveHook.Type),
      let fields = ObjectFields.fields(of: programClass)
    else { return nil }
    let related = RelatedClasses(of: programClass)
    var (references, lists): ([FieldLocation], [FieldLocation]) = ([], [])
    for (index, field) in fields.enumerated() {
      guard !Self.losesDifferences(field.type) else { return nil }
      if programClass.isReference(index) {
        references.append(FieldLocation(of: field))
      } else if related.mayBeReached(from: index) {
        guard field.type is any ListOfReferences.Type else { return nil }
        lists.append(FieldLocation(of: field))
      }
    }
    guard
      let layout = ObjectMemoryLayout(of: type, fields.map { FieldMemory(of: $0.type, at: $0.offset) })
    else { return nil }
    (self.layout, self.references, self.lists) = (layout, references, lists)
  }

  /// Whether an archive may omit or change a part of a value of the type, so that different values may become
  /// equal.
  private static func losesDifferences(_ type: Any.Type) -> Bool {
    guard let type = type as? any ArchivableValue.Type else { return true }
    let context = __TypeEncodingContext()
    _ = type.__typeEncoding(in: context)
    return context.losesDifferences
  }

  /// Returns a shallow copy of an object of the class. The copy refers to itself where the object refers to
  /// itself.
  func copy(of object: AnyObject) -> AnyObject {
    let check = ExclusivityCheck.now()
    let copy = layout.copy(of: object, check)
    let address = unsafe Unmanaged.passUnretained(object).address
    for index in references.indices
    where unsafe references[index].value(UInt.self, of: object, check) == address {
      unsafe references[index].set(copy as AnyObject?, of: copy)
    }
    for index in lists.indices {
      let objects = unsafe lists[index].value([AnyObject].self, of: object, check)
      guard objects.contains(where: { $0 === object }) else { continue }
      unsafe lists[index].set(objects.map { $0 === object ? copy : $0 }, of: copy)
    }
    return copy
  }
}

/// The declared classes of the references that may refer to an object of a class: the class itself, its
/// superclasses and its subclasses. A reference with another declared class cannot refer to the object.
private struct RelatedClasses {
  private let programClass: ProgramClass
  private let names: Set<ExactName>
  private let knownNames: Set<ExactName>

  init(of programClass: ProgramClass) {
    let type = programClass.schema.type
    let related = programClass.reachedClasses.filter { other in
      ClassTable.isSubclass(other, of: type) || ClassTable.isSubclass(type, of: other)
    }
    self.programClass = programClass
    names = Set(related.map { ExactName($0.archiveSchema.name) })
    knownNames = Set(programClass.reachedClasses.map { ExactName($0.archiveSchema.name) })
  }

  /// Whether a value of a property may contain a reference to the object that has the property. A reference
  /// whose class no declaration names may refer to any object.
  func mayBeReached(from slot: Int) -> Bool {
    programClass.layout.reaches(from: programClass.slots[slot].root) { node in
      guard node.kind == .reference || node.kind == .weak else { return false }
      guard let name = node.name.map({ ExactName($0) }), knownNames.contains(name) else { return true }
      return names.contains(name)
    }
  }
}
