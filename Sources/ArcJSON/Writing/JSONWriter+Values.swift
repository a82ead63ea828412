// Writing values with their nested values.

extension JSONWriter {
  /// The part of an open array or object that is not written yet: its next elements or members.
  private enum Rest {
    case elements(IndexingIterator<[JSONValue]>)
    case members(IndexingIterator<[(name: String, value: JSONValue)]>)
  }

  /// Writes a value and all nested values.
  public mutating func value(_ value: JSONValue) { self.value(value, sortsKeys: false) }

  /// Writes a value and all nested values, without recursion.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - sortsKeys: whether members are sorted by name, byte by byte.
  package mutating func value(_ value: JSONValue, sortsKeys: Bool) {
    var open: [Rest] = []
    var next: JSONValue? = value
    while let value = next {
      switch value {
      case .null: null()
      case .bool(let value): bool(value)
      case .number(let value): number(value)
      case .string(let value): string(value)
      case .array(let elements):
        beginArray()
        open.append(.elements(elements.makeIterator()))
      case .object(let object):
        beginObject()
        open.append(.members(Self.members(of: object, isSorted: sortsKeys).makeIterator()))
      }
      next = nextValue(&open)
    }
  }

  private static func members(of object: JSONObject, isSorted: Bool) -> [(name: String, value: JSONValue)] {
    guard isSorted else { return object.members }
    return object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Returns the next value to write, and writes its key if it has one. First ends all arrays and objects
  /// that have no further values. Returns nil if all values are written.
  private mutating func nextValue(_ open: inout [Rest]) -> JSONValue? {
    while let rest = open.popLast() {
      switch rest {
      case .elements(var elements):
        if let element = elements.next() {
          open.append(.elements(elements))
          return element
        }
      case .members(var members):
        if let (name, value) = members.next() {
          open.append(.members(members))
          key(name)
          return value
        }
      }
      end()
    }
    return nil
  }
}
