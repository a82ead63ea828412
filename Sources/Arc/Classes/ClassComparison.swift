import ArcFormat
import ArcMemory
import ArcRuntime

/// How two objects of a class are compared: which of their archived values memory shows, and which values are
/// written as rows and compared there.
///
/// A class, because a copy of the structure would count references to all arrays.
///
/// Invariant: two objects have the same archived values if, and only if, memory and rows show the same
/// values, and corresponding objects in their references.
final class ClassComparison {
  /// The nodes of the properties whose values are compared in rows, by the first of their nodes.
  let rowRoots: Set<Int>
  private let values: FieldComparison
  /// Where the references to objects are, and the arrays of references.
  private let references: [FieldLocation]
  private let lists: [FieldLocation]
  /// See `UniqueReference`.
  private let storageWord = UniqueReference.storageWord

  /// Nil if only a canonical archive shows whether objects are equal: for classes with hooks or hand-written
  /// coders, weak or unowned references, sets, dictionaries, and references that Arc finds only when it
  /// writes them.
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

  /// Whether the rows of two objects have the same bytes for a property if, and only if, the archived values
  /// are the same: values have an order, and references retain their targets, whose classes are declared.
  private static func isShownByRows(
    _ index: Int, of programClass: ProgramClass, _ reachedNames: Set<ExactName>
  ) -> Bool {
    let slot = programClass.slots[index]
    let context = __TypeEncodingContext()
    _ = slot.property.valueType.__typeEncoding(in: context)
    // A reference that code of the program returns may be the only reference to its target.
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

  /// Whether memory shows the same values in two objects of the class. References and rows are not compared.
  @inline(__always)
  func areValuesSame(_ one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck) -> Bool {
    values.areSame(in: one, other, check)
  }

  /// Calls `body` with the addresses of the objects that two objects of the class refer to, property by
  /// property, 0 for nil, until it returns false; returns whether it never did, and arrays have as many
  /// elements.
  ///
  /// It also tells whether the places are the only ones that hold these references: arrays that are copies of
  /// each other have their elements in common.
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

  /// Calls `body` with the addresses of the objects of each index in two arrays until `body` returns false.
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
  /// Whether the values of a property are references to objects, or nil: one word each.
  func isReference(_ slot: Int) -> Bool {
    layout.nodes[slots[slot].root].kind == .reference && slots[slot].property.access.holdsReferences
  }
}
