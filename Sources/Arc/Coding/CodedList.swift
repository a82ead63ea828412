import ArcFormat
import ArcRuntime

/// The values that a `Codable` value encodes in an unkeyed container.
///
/// The elements of a set and the entries of a dictionary have no order in the program. In the list, they are
/// ordered by their contents. If elements differ only in the objects to which they refer, their contents do
/// not determine the order.
struct CodedList: ArchivableValue {
  /// The number of consecutive values that are ordered together: one element, or the key and the value of an
  /// entry.
  enum Unit: Int {
    case element = 1
    case entry
  }

  let elements: [CodingTree]
  /// The unit in which a canonical archiver must order the list again: elements or entries. This is necessary
  /// if some units differ only in the objects to which they refer, because only the graph then determines
  /// their order. Nil if the list already has its final order.
  private let unordered: Unit?

  /// Creates a list of values that have an order.
  init(_ elements: [CodingTree]) { self.init(elements, unordered: nil) }

  private init(_ elements: [CodingTree], unordered: Unit?) {
    self.elements = elements
    self.unordered = unordered
  }

  /// Creates a list of values that have no order, ordered by their contents.
  ///
  /// - Throws: `limitExceeded` if there is not enough stack for nested trees.
  /// - Complexity: O(n log n) comparisons.
  init(unordered elements: [CodingTree], by unit: Unit) throws {
    // If a type of the program encodes a list of its own instead of entries, the list keeps its order.
    guard elements.count > unit.rawValue, elements.count % unit.rawValue == 0 else {
      self.init(elements)
      return
    }
    if unit == .element, let texts = Self.texts(elements) {
      self.init(TextOrder.indices(of: texts).map { elements[$0] })
      return
    }
    var units: [(key: CodedSortKey, elements: ArraySlice<CodingTree>)] = []
    units.reserveCapacity(elements.count / unit.rawValue)
    var hasObjects = false
    for start in stride(from: 0, to: elements.count, by: unit.rawValue) {
      let own = elements[start..<start + unit.rawValue]
      var key = CodedSortKey()
      for element in own { try key.append(element) }
      hasObjects = hasObjects || key.hasObjects
      units.append((key, own))
    }
    units.sort { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
    self.init(units.flatMap(\.elements), unordered: hasObjects ? unit : nil)
  }

  /// Returns the elements as strings. Nil if an element is not a string.
  private static func texts(_ elements: [CodingTree]) -> [String]? {
    var texts: [String] = []
    texts.reserveCapacity(elements.count)
    for element in elements {
      guard case .string(let text) = element else { return nil }
      texts.append(text)
    }
    return texts
  }

  static var __archiveName: __ArchiveName { [CodingTree].__archiveName }
  static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    [CodingTree].__typeEncoding(in: context)
  }
  static var __emptyValue: CodedList? { CodedList([]) }

  static func __read(from column: ColumnReader) throws -> CodedList {
    CodedList(try [CodingTree].__read(from: column))
  }

  func __write(to column: ColumnWriter) throws {
    guard let unordered, let order = column.sink.keyOrder else { return try elements.__write(to: column) }
    column.append(UInt64(elements.count))
    switch unordered {
    case .element: try order.write(inOrder: elements, to: column.child(0))
    case .entry:
      let entries = stride(from: 0, to: elements.count, by: unordered.rawValue).map { start in
        CodedEntry(elements: elements[start..<start + unordered.rawValue])
      }
      try order.write(inOrder: entries, to: column.child(0))
    }
  }
}

/// The key and the value of an entry, which are two consecutive elements of a list.
private struct CodedEntry: ArchivableValue {
  let elements: ArraySlice<CodingTree>

  static var __archiveName: __ArchiveName { CodingTree.__archiveName }
  static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    CodingTree.__typeEncoding(in: context)
  }
  static func __read(from column: ColumnReader) throws -> CodedEntry {
    CodedEntry(elements: [try CodingTree.__read(from: column)])
  }
  func __write(to column: ColumnWriter) throws { for element in elements { try element.__write(to: column) } }
}
