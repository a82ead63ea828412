import ArcFormat
import ArcRuntime

/// Values that a `Codable` value encodes one after another.
///
/// Those of a set and of the entries of a dictionary have no order in the program. They are in the order of
/// their contents here; only for objects in them that says nothing.
struct CodedList: ArchivableValue {
  /// The values that belong together: each by itself, or each with the next one, as keys and values do.
  enum Unit: Int {
    case element = 1
    case entry
  }

  let elements: [CodingTree]
  /// What is put in the order of the graph in a canonical archive; nil if the order of the elements tells.
  private let unordered: Unit?

  /// Values in order.
  init(_ elements: [CodingTree]) { self.init(elements, unordered: nil) }

  private init(_ elements: [CodingTree], unordered: Unit?) {
    self.elements = elements
    self.unordered = unordered
  }

  /// Values without an order of their own, by their contents.
  ///
  /// - Throws: `limitExceeded` if there is no stack for trees within trees.
  /// - Complexity: O(n log n) comparisons.
  init(unordered elements: [CodingTree], by unit: Unit) throws {
    // A type of the program that has a list of its own in place of the entries keeps its order.
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

  /// The strings that elements are; nil if one is something else.
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

/// The key and the value of an entry, of which a list has both as elements.
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
