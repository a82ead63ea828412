import ArcFormat

/// The values of one property for several objects, until they are written.
enum ObjectValues {
  /// One value that each of the objects has.
  case same(ArchiveValue)
  /// A value of any kind for each object.
  case values([ArchiveValue])
  /// A Swift value for each object.
  case swift(any SwiftColumnValues)

  /// The number of objects; nil if there may be any number.
  var count: Int? {
    switch self {
    case .same: nil
    case .values(let values): values.count
    case .swift(let column): column.count
    }
  }
}

/// The values of some properties for objects with consecutive numbers, checked but not written yet.
struct PendingRows {
  /// The values by column; nil where a keyed column has none.
  let columns: [PendingColumn?]
  /// The index of the first object's values.
  var start: Int
  var count: Int
}

/// The values of one column, and where in it they are written.
struct PendingColumn {
  let values: ObjectValues
  /// How many optionals around a value the column has, which all contain something.
  let presenceCount: Int
}

/// Swift values of one type that is not known here.
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
    // Most columns of references are of these types, for which the compiler makes loops without calls.
    if let ids = values as Any as? [ObjectID] {
      for index in ids.indices { try body(index, ids[index]) }
    } else if let ids = values as Any as? [ObjectID?] {
      for index in ids.indices { if let id = ids[index] { try body(index, id) } }
    } else if let holder = Value.self as? any ReferenceHolder.Type {
      try holder.forEachReference(in: values, body)
    }
  }
}
