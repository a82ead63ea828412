import ArcFormat
import ArcMemory
import ArcRuntime

/// Compares two objects of a class. Some archived values are compared in memory; the other values are written
/// as rows of an archive, whose bytes are compared.
///
/// The type is a class, because copying a structure would retain each of its arrays.
///
/// Invariant: two objects have equal archived values if and only if their compared values in memory and their
/// rows are equal, and their references refer to corresponding objects.
final class ClassComparison {
  /// The properties whose values are not compared in memory, but in the form in which they are written to
  /// rows. For each property, the first node of its column.
  let rowRoots: Set<Int>
  private let values: FieldComparison
  /// The locations of the references to objects, and of the arrays of references.
  private let references: [FieldLocation]
  private let lists: [FieldLocation]
  /// The content of the second word in the storage of an array if no other array shares the storage. 0 if
  /// this word does not show whether the storage is shared. See `UniqueReference`.
  private let storageWord = UniqueReference.storageWord

  /// Returns nil if objects of the class can be compared only by canonical archives. This is the case for
  /// classes with hooks or hand-written coders, weak or unowned references, sets, dictionaries, and
  /// references that Arc finds only when it writes them.
  init?(of programClass: ProgramClass) {
    guard !programClass.isKeyed, !(programClass.schema.type is any __ArchiveHook.Type) else { return nil }
    var (plain, references, lists): ([StoredField], [StoredField], [StoredField]) = ([], [], [])
    var rowRoots: Set<Int> = []
    let names = Set(programClass.reachedClasses.map { ExactName($0.archiveSchema.name) })
    for (index, field) in ObjectFields.fieldsOfProperties(of: programClass).enumerated() {
      if let field {
        if programClass.isReference(index) {
          references.append(field)
          continue
        } else if programClass.slots[index].property.valueType is any ListOfReferences.Type {
          lists.append(field)
          continue
        } else if FieldComparison(of: [field], shape: MemoryShape.of) != nil {
          plain.append(field)
          continue
        }
      }
      guard Self.isShownByRows(index, of: programClass, names) else { return nil }
      rowRoots.insert(programClass.slots[index].root)
    }
    guard let values = FieldComparison(of: plain, shape: MemoryShape.of) else { return nil }
    self.values = values
    self.rowRoots = rowRoots
    self.references = references.map { FieldLocation(of: $0) }
    self.lists = lists.map { FieldLocation(of: $0) }
  }

  /// Whether the values of a property can be compared by the bytes that they have in rows. These bytes must
  /// be equal if and only if the archived values are equal. So the elements of the values must have a fixed
  /// order, and references must retain their targets and have declared classes.
  private static func isShownByRows(
    _ index: Int, of programClass: ProgramClass, _ reachedNames: Set<ExactName>
  ) -> Bool {
    let slot = programClass.slots[index]
    let context = __TypeEncodingContext()
    _ = slot.property.valueType.__typeEncoding(in: context)
    // The target of a reference that code of the program returns may be retained by nothing else.
    let isReadAsStored = programClass.fields?.readLocations[index] != nil || !slot.hasComputedReferences
    guard slot.property.traits.isDisjoint(with: [.weak, .unowned]), isReadAsStored,
      !context.hasComputedReferences
    else { return false }
    return programClass.layout.nodes(ofRoot: index).allSatisfy { number in
      let node = programClass.layout.nodes[number]
      return switch node.kind {
      case .weak, .set, .dictionary: false
      case .reference:
        !slot.detachedNodes.contains(number)
          && node.name.map { reachedNames.contains(ExactName($0)) } ?? false
      default: true
      }
    }
  }

  /// Returns whether two objects of the class are equal in the values that are compared in memory. Does not
  /// compare their references, nor the values that are compared by rows.
  @inline(__always)
  func areValuesSame(_ one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck) -> Bool {
    values.areSame(in: one, other, check)
  }

  /// Calls `body` with the addresses of corresponding targets: the objects to which two objects of the class
  /// refer by the same property, or by elements of arrays with the same index. The address of nil is 0. Stops
  /// when `body` returns false.
  ///
  /// `areUnshared` is true if no other variable shares the storage of the references. Arrays that are copies
  /// of each other share their storage, so one reference in memory may be an element of several arrays.
  ///
  /// - Returns: whether corresponding arrays have the same count and `body` never returned false.
  @inline(__always) func allReferences(
    of one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck,
    satisfy body: (UInt, UInt, _ areUnshared: Bool) -> Bool
  ) -> Bool {
    for index in references.indices {
      let target = unsafe references[index].value(UInt.self, of: one, check)
      guard unsafe body(target, references[index].value(UInt.self, of: other, check), true) else {
        return false
      }
    }
    for index in lists.indices {
      let areAlone = isAlone(lists[index], in: one, check) && isAlone(lists[index], in: other, check)
      let ones = unsafe lists[index].value([AnyObject].self, of: one, check)
      let others = unsafe lists[index].value([AnyObject].self, of: other, check)
      guard Self.allElements(of: ones, others, satisfy: { body($0, $1, areAlone) }) else { return false }
    }
    return true
  }

  /// Whether no other variable shares the storage of an object's array.
  private func isAlone(_ list: FieldLocation, in object: AnyObject, _ check: ExclusivityCheck) -> Bool {
    storageWord != 0
      && UniqueReference.isUnique(unsafe list.value(UInt.self, of: object, check), storageWord)
  }

  /// Calls `body` with the addresses of the elements at each index of two arrays, until `body` returns false.
  ///
  /// - Returns: whether the arrays have the same count and `body` never returned false.
  @inline(__always) static func allElements(
    of ones: [AnyObject], _ others: [AnyObject], satisfy body: (UInt, UInt) -> Bool
  ) -> Bool {
    unsafe ones.withUnsafeBytes { ones in
      unsafe others.withUnsafeBytes { others in
        guard ones.count == others.count else { return false }
        return stride(from: 0, to: ones.count, by: MemoryLayout<UInt>.size).allSatisfy { offset in
          unsafe body(
            ones.load(fromByteOffset: offset, as: UInt.self),
            others.load(fromByteOffset: offset, as: UInt.self))
        }
      }
    }
  }
}

extension ProgramClass {
  /// Whether each value of a property is a reference to an object, or an optional reference, which takes one
  /// word in memory.
  func isReference(_ slot: Int) -> Bool {
    layout.nodes[slots[slot].root].kind == .reference && slots[slot].property.access.holdsReferences
  }
}
