import ArcFormat

/// The values of one property for several objects, before they are written.
enum ObjectValues {
  /// One value that all objects have.
  case same(ArchiveValue)
  /// A value of any type for each object.
  case values([ArchiveValue])
  /// A Swift value for each object.
  case swift(any SwiftColumnValues)

  /// The number of objects. Nil for `same`, which allows any number of objects.
  var count: Int? {
    switch self {
    case .same: nil
    case .values(let values): values.count
    case .swift(let column): column.count
    }
  }
}

/// The values of some properties for objects with consecutive numbers. They were checked, but not written
/// yet.
struct PendingRows {
  /// The values by column. An element is nil if the column is keyed and the objects have no values in it.
  let columns: [PendingColumn?]
  /// The index of the first object's values in each column.
  var start: Int
  var count: Int
}

/// The values of one column, with the number of optionals to write around them.
struct PendingColumn {
  let values: ObjectValues
  /// The number of optionals in which the column wraps each value. None of these optionals is nil.
  let presenceCount: Int
}

/// Swift values whose type is known only at run time.
protocol SwiftColumnValues {
  var type: any ColumnValue.Type { get }
  var count: Int { get }
  /// Appends the values of some objects to a column.
  func write(_ range: Range<Int>, to column: ColumnWriter) throws
  /// Calls a closure with each reference in the values, and the index of the value that contains it.
  func forEachReference(
    _ body: (_ index: Int, ObjectID) throws(ArchiveError) -> Void) throws(ArchiveError)
}

/// Swift values of one type.
struct SwiftColumn<Value: ColumnValue>: SwiftColumnValues {
  private let values: [Value]

  init(_ values: [Value]) { self.values = values }

  var type: any ColumnValue.Type { Value.self }
  var count: Int { values.count }

  func write(_ range: Range<Int>, to column: ColumnWriter) throws {
    if Value.__traits.contains(.bulk) {
      return column.append(contentsOf: range == values.indices ? values : Array(values[range]))
    }
    unsafe try values[range].withUnsafeBytes { unsafe try Value.__write(elements: $0, to: column) }
  }

  func forEachReference(
    _ body: (_ index: Int, ObjectID) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    // Most columns of references have one of these types. For them, the compiler generates loops without
    // calls.
    if let ids = values as Any as? [ObjectID] {
      for index in ids.indices { try body(index, ids[index]) }
    } else if let ids = values as Any as? [ObjectID?] {
      for index in ids.indices { if let id = ids[index] { try body(index, id) } }
    } else if let holder = Value.self as? any ReferenceHolder.Type {
      try holder.forEachReference(in: values, body)
    }
  }
}
