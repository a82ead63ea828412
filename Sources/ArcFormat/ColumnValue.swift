/// A type that a column's values can be read as.
///
/// | type | columns |
/// |---|---|
/// | `Bool` | `B` |
/// | `Int8` … `Int128`, `UInt8` … `UInt128`, `Int`, `UInt` | integers all of whose values it can hold |
/// | `Float`, `Double` | floating-point numbers as wide or narrower; `Double` also dates, as seconds since 2001 |
/// | `String` | strings and decimals |
/// | `ObjectID` | references, weak ones too; nil where there may be none: `ObjectID?` |
/// | `Optional` | optionals, and what its value can be read as |
/// | `Array` | arrays and sets; `[UInt8]` also data |
/// | `ArchiveValue` | all |
///
/// Not to be conformed to outside of Arc.
public protocol ColumnValue {
  /// The type in error messages.
  static var __name: String { get }
  /// Whether every value of the column is one of this type.
  static func __fits(_ column: ColumnCursor) -> Bool
  /// The next value.
  static func __read(from column: ColumnCursor) throws -> Self
  /// The next values.
  static func __read(_ count: Int, from column: ColumnCursor) throws -> [Self]
}

/// A number that stands in a file as it does in memory.
public protocol ColumnNumber: ColumnValue, BitwiseCopyable {
  /// What columns of such numbers hold.
  static var __kind: ColumnKind { get }
}

extension ColumnValue {
  /// The type's name in Swift.
  public static var __name: String { "\(Self.self)" }

  /// One after the other.
  public static func __read(_ count: Int, from column: ColumnCursor) throws -> [Self] {
    var values: [Self] = []
    values.reserveCapacity(column.reader.__capacity(count))
    for _ in 0..<count { values.append(try __read(from: column)) }
    return values
  }
}

extension Bool: ColumnValue {
  /// Whether the column holds booleans.
  public static func __fits(_ column: ColumnCursor) -> Bool { column.kind == .bool }
  /// The next bit.
  public static func __read(from column: ColumnCursor) throws -> Bool { try column.reader.__bit() }
}

extension ColumnValue where Self: FixedWidthInteger & BitwiseCopyable {
  /// Whether the column holds integers that are as wide or narrower, and not negative where this type is not.
  public static func __fits(_ column: ColumnCursor) -> Bool {
    guard let (bits, isSigned) = column.kind.integerType else { return false }
    return isSigned == Self.isSigned ? bits <= bitWidth : Self.isSigned && bits < bitWidth
  }

  /// The next integer.
  public static func __read(from column: ColumnCursor) throws -> Self { try column.reader.__integer() }

  /// The next integers, at once.
  public static func __read(_ count: Int, from column: ColumnCursor) throws -> [Self] {
    try column.reader.__require(count)
    return unsafe try [Self](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      unsafe try column.reader.__integers(count, into: start)
      initialized = count
    }
  }
}

extension Int8: ColumnNumber {
  /// `c`
  public static var __kind: ColumnKind { .int8 }
}
extension Int16: ColumnNumber {
  /// `s`
  public static var __kind: ColumnKind { .int16 }
}
extension Int32: ColumnNumber {
  /// `i`
  public static var __kind: ColumnKind { .int32 }
}
extension Int64: ColumnNumber {
  /// `q`
  public static var __kind: ColumnKind { .int64 }
}
extension Int: ColumnNumber {
  /// `q` where `Int` has 64 bits.
  public static var __kind: ColumnKind {
    #if _pointerBitWidth(_64)
      .int64
    #else
      .int32
    #endif
  }
}
extension UInt8: ColumnNumber {
  /// `C`
  public static var __kind: ColumnKind { .uint8 }
}
extension UInt16: ColumnNumber {
  /// `S`
  public static var __kind: ColumnKind { .uint16 }
}
extension UInt32: ColumnNumber {
  /// `I`
  public static var __kind: ColumnKind { .uint32 }
}
extension UInt64: ColumnNumber {
  /// `Q`
  public static var __kind: ColumnKind { .uint64 }
}
extension UInt: ColumnNumber {
  /// `Q` where `UInt` has 64 bits.
  public static var __kind: ColumnKind {
    #if _pointerBitWidth(_64)
      .uint64
    #else
      .uint32
    #endif
  }
}
extension Int128: ColumnValue {}
extension UInt128: ColumnValue {}

extension Float: ColumnNumber {
  /// `f`
  public static var __kind: ColumnKind { .float32 }
  /// Whether the column holds numbers of 16 or 32 bits.
  public static func __fits(_ column: ColumnCursor) -> Bool {
    column.kind == .float16 || column.kind == .float32
  }
  /// The next number, widened if need be.
  public static func __read(from column: ColumnCursor) throws -> Float {
    column.kind == .float16
      ? Float(half: try column.reader.__fixed(UInt16.self)) : try column.reader.__fixed()
  }
  /// The next numbers, at once where none is widened.
  public static func __read(_ count: Int, from column: ColumnCursor) throws -> [Float] {
    try column.reader.__require(count)
    return unsafe try [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      if column.kind == .float32 {
        unsafe try column.reader.__fixed(count, into: start)
      } else {
        for index in 0..<count { unsafe (start + index).initialize(to: try __read(from: column)) }
      }
      initialized = count
    }
  }
}

extension Double: ColumnNumber {
  /// `d`
  public static var __kind: ColumnKind { .float64 }
  /// Whether the column holds floating-point numbers, or dates.
  public static func __fits(_ column: ColumnCursor) -> Bool {
    Float.__fits(column) || column.kind == .float64 || column.kind == .date
  }
  /// The next number, widened if need be.
  public static func __read(from column: ColumnCursor) throws -> Double {
    column.kind == .float16 ? Double(try Float.__read(from: column)) : try column.reader.__double()
  }
  /// The next numbers, at once where none is widened.
  public static func __read(_ count: Int, from column: ColumnCursor) throws -> [Double] {
    try column.reader.__require(count)
    return unsafe try [Double](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      if column.kind == .float16 {
        for index in 0..<count { unsafe (start + index).initialize(to: try __read(from: column)) }
      } else {
        unsafe try column.reader.__doubles(count, into: start)
      }
      initialized = count
    }
  }
}

extension String: ColumnValue {
  /// Whether the column holds strings or decimals.
  public static func __fits(_ column: ColumnCursor) -> Bool {
    column.kind == .string || column.kind == .decimal
  }
  /// The next text.
  public static func __read(from column: ColumnCursor) throws -> String { try column.reader.__text() }
}

extension ObjectID: ColumnValue {
  /// Whether the column holds references.
  public static func __fits(_ column: ColumnCursor) -> Bool {
    column.kind == .reference || column.kind == .weak
  }
  /// The next reference; throws `nilReference` for nil.
  public static func __read(from column: ColumnCursor) throws -> ObjectID {
    guard let id = try ObjectID?.__read(from: column) else {
      throw column.reader.__error(
        .nilReference, found: "nil", expected: "an object", remedy: "read the column as 'ObjectID?'")
    }
    return id
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  /// The type's name in Swift.
  public static var __name: String { Wrapped.__name + "?" }
  /// Whether the column holds optionals of what fits, or what fits itself.
  public static func __fits(_ column: ColumnCursor) -> Bool {
    if column.kind == .optional, let wrapped = column.child(0), Wrapped.__fits(wrapped) { return true }
    return Wrapped.__fits(column)
  }
  /// The next value.
  public static func __read(from column: ColumnCursor) throws -> Wrapped? {
    if ObjectID.__fits(column), Wrapped.self is ObjectID.Type {
      let row = try column.reader.__integer(UInt32.self)
      return row == 0 ? nil : ObjectID(rawValue: row) as? Wrapped
    }
    guard column.kind == .optional, let wrapped = column.child(0), Wrapped.__fits(wrapped) else {
      return try Wrapped.__read(from: column)
    }
    return try column.reader.__bit() ? try Wrapped.__read(from: wrapped) : nil
  }
}

extension Array: ColumnValue where Element: ColumnValue {
  /// The type's name in Swift.
  public static var __name: String { "[" + Element.__name + "]" }
  /// Whether the column holds arrays or sets of what fits, or data for `[UInt8]`.
  public static func __fits(_ column: ColumnCursor) -> Bool {
    if column.kind == .data { return Element.self == UInt8.self }
    guard column.kind == .array || column.kind == .set, let element = column.child(0) else { return false }
    return Element.__fits(element)
  }
  /// The next elements.
  public static func __read(from column: ColumnCursor) throws -> [Element] {
    if column.kind == .data { return unsafe try [UInt8](column.reader.__bytes()) as? [Element] ?? [] }
    let count = try column.reader.__integer(Int.self)
    return try column.child(0).map { try Element.__read(count, from: $0) } ?? []
  }
}

extension ArchiveValue: ColumnValue {
  /// Every column fits.
  public static func __fits(_ column: ColumnCursor) -> Bool { true }
  /// The next value.
  public static func __read(from column: ColumnCursor) throws -> ArchiveValue {
    try column.values.value(column.reader, node: column.node)
  }
}
