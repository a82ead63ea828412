import ArcFormat
import ArcRuntime

/// A writer of archives for tests. It appends rows and needs no Swift classes.
final class RowWiseArchive {
  private var writer: ArchiveWriter

  /// Creates a writer. `roots` are the names and type encodings of the roots.
  init(
    roots: [(String, String)], compression: Compression = .none,
    segmentByteCount: Int = ArchiveWriter.usualSegmentByteCount
  ) throws {
    writer = ArchiveWriter(compression: compression, segmentByteCount: segmentByteCount)
    try addClass("$roots", properties: roots.map { ($0.0, "T\($0.1)") })
  }

  /// Adds a class. Properties are keys and attribute strings. The caller repeats the properties of the
  /// superclass, with the index of the declaring class.
  @discardableResult
  func addClass(
    _ name: String, superclass: Int? = nil, inherited: [(Int, String, String)] = [],
    properties: [(String, String)], flags: ColumnDescription.Flags = []
  ) throws -> Int {
    let index = writer.classes.count
    let all = properties.map { (index, $0.0, $0.1) } + inherited
    return try writer.addClass(
      ClassDescription(
        name: name, superclassIndex: superclass,
        columns: all.map { declaringClass, key, attributes in
          ColumnDescription(
            declaringClassIndex: declaringClass, key: key,
            attributes: try PropertyAttributes(parsing: attributes),
            flags: declaringClass == index ? flags : [])
        }))
  }

  /// Writes the next row, with one value per column.
  func row(_ classIndex: Int, _ values: Value...) throws { try addRow(classIndex, values) }

  /// Writes the next row.
  func addRow(_ classIndex: Int, _ values: [Value]) throws {
    try writer.addRow(classIndex: classIndex)
    let set = writer.columnSet(ofClass: classIndex)
    for (position, value) in values.enumerated() { value.append(to: set.column(position)) }
  }

  /// Returns the bytes of the file.
  func finish() throws -> [UInt8] { try writer.finish { UInt32($0) } }

  /// A value of a column.
  indirect enum Value: ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    case int(Int64)
    case int32(Int32)
    case uint64(UInt64)
    case uint128(UInt128)
    case float(Float)
    case double(Double)
    case bool(Bool)
    case text(String)
    case bytes([UInt8])
    case uuid(UInt128)
    case reference(UInt32)
    case weak(UInt32)
    case some(Value)
    case none
    case list([Value])
    case dictionary([(Value, Value)])
    case fields([Value])
    case enumeration(UInt32, payload: Value?)
    /// A keyed column without a value in this row.
    case absent

    init(stringLiteral value: String) { self = .text(value) }
    init(nilLiteral: ()) { self = .none }

    func append(to column: ColumnWriter) {
      switch self {
      case .int(let value): column.append(value)
      case .int32(let value): column.append(value)
      case .uint64(let value): column.append(value)
      case .uint128(let value), .uuid(let value): column.append(value)
      case .float(let value): column.append(value)
      case .double(let value): column.append(value)
      case .bool(let value): column.append(bit: value)
      case .text(let value): column.append(text: value)
      case .bytes(let value): value.withByteView { column.append(bytes: $0) }
      case .reference(let row): column.append(row)
      case .weak(let row): column.append(row)
      case .some(let value):
        column.append(bit: true)
        value.append(to: column.child(0))
      case .none: column.append(bit: false)
      case .absent: break
      case .list(let values):
        column.append(UInt64(values.count))
        for value in values { value.append(to: column.child(0)) }
      case .dictionary(let entries):
        column.append(UInt64(entries.count))
        for (key, value) in entries {
          key.append(to: column.child(0))
          value.append(to: column.child(1))
        }
      case .fields(let values):
        for (position, value) in values.enumerated() { value.append(to: column.child(position)) }
      case .enumeration(let index, let payload):
        column.append(index)
        payload?.append(to: column.payload(Int(index)))
      }
    }
  }
}
