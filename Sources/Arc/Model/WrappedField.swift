import ArcFormat
import ArcMemory
import Synchronization

/// The memory location of a field's value in a structure, if a property wrapper contains the value.
private enum WrappedField {
  private struct Key: Hashable {
    let structure: ObjectIdentifier
    let value: ObjectIdentifier
    let name: String
  }

  /// The offset of the value in bytes. Nil if the wrapper does not store the value in its own field.
  static func offset(of name: String, _ value: Any.Type, in structure: Any.Type) -> Int? {
    let key = Key(structure: ObjectIdentifier(structure), value: ObjectIdentifier(value), name: name)
    if let offset = known.withLock({ $0[key] }) { return offset }
    let location = StorageLocation(
      ofPropertyNamed: name, type: value, reference: nil, in: StoredField.all(of: structure))
    let offset = location.flatMap { $0.isCertain ? $0.offset : nil }
    known.withLock { $0[key] = .some(offset) }
    return offset
  }

  private static let known = Mutex<[Key: Int?]>([:])
}

// The function to which a wrapped field with an initial value expands.
extension ColumnReader {
  /// Sets a structure's field that has a property wrapper. The wrapper has already been created.
  ///
  /// The function stores the value in the wrapper, so no setter and no observer runs. If the wrapper does not
  /// store its value itself, the function calls `set`.
  ///
  /// - Parameters:
  ///   - name: the name of the field.
  ///   - owner: the structure.
  ///   - value: the new value.
  ///   - set: sets the field with the wrapper's setter.
  /// - Complexity: O(1). The location of the value is determined once per field.
  public func __set<Owner, Value>(
    _ name: String, of owner: inout Owner, to value: Value, _ set: (inout Owner, Value) -> Void
  ) {
    guard let offset = WrappedField.offset(of: name, Value.self, in: Owner.self) else {
      return set(&owner, value)
    }
    StoredField.store(value, in: &owner, at: offset)
  }
}
