/// Gives the values of columns that have none of their own, one after another, each when the program's type
/// asks for it: what is in another form already need not be appended to a row first.
///
/// Values are asked for in the order in which they would be in the columns. What is thrown is thrown by the
/// type that asked.
package protocol ValueSource: AnyObject {
  /// The next integer of a node, the length of a collection, the number of a case, or the row that a
  /// reference leads to.
  func integer(ofNode node: Int) throws -> Int64
  /// The next number of 64 bits, or seconds of a date.
  func double(ofNode node: Int) throws -> Double
  /// The next number of 32 bits.
  func float(ofNode node: Int) throws -> Float
  /// The next 16 bytes.
  func wideInteger(ofNode node: Int) throws -> UInt128
  /// The next Boolean, or whether the next value of an optional is there.
  func bit(ofNode node: Int) throws -> Bool
  /// The next string.
  func text(ofNode node: Int) throws -> String
  /// Takes the next reference if it is nil; returns whether it was.
  func takeNilReference(ofNode node: Int) -> Bool
}

/// A source of values that columns refer to.
@usableFromInline final class ValueSupply {
  let source: any ValueSource
  init(_ source: any ValueSource) { self.source = source }
}

// Where a column has no value left: it asks its source, or is at its end.

extension ColumnReader {
  /// Whether a source gives the values that the column does not have.
  @inlinable var isSupplied: Bool { unsafe node.value.supply != nil }

  @usableFromInline @inline(never)
  func suppliedInteger() throws -> Int64 {
    guard let supply = unsafe node.value.supply else { throw endOfColumn() }
    let index = node.value.index
    return try unsafe supply._withUnsafeGuaranteedRef { try $0.source.integer(ofNode: index) }
  }

  @usableFromInline @inline(never)
  func suppliedDouble() throws -> Double {
    guard let supply = unsafe node.value.supply else { throw endOfColumn() }
    let index = node.value.index
    return try unsafe supply._withUnsafeGuaranteedRef { try $0.source.double(ofNode: index) }
  }

  /// The next value of fixed size.
  @usableFromInline @inline(never)
  func suppliedFixed<T: BitwiseCopyable>(_ type: T.Type) throws -> T {
    guard let supply = unsafe node.value.supply else { throw endOfColumn() }
    let index = node.value.index
    let value: any BitwiseCopyable = try unsafe supply._withUnsafeGuaranteedRef {
      switch MemoryLayout<T>.size {
      case 4: try $0.source.float(ofNode: index)
      case 16: try $0.source.wideInteger(ofNode: index)
      default: try $0.source.double(ofNode: index)
      }
    }
    guard let value = value as? T else { throw endOfColumn() }
    return value
  }

  @usableFromInline @inline(never)
  func suppliedBit() throws -> Bool {
    guard let supply = unsafe node.value.supply else { throw endOfColumn() }
    let index = node.value.index
    return try unsafe supply._withUnsafeGuaranteedRef { try $0.source.bit(ofNode: index) }
  }

  /// The next string of a source; nil if there is none.
  func suppliedText() throws -> String? {
    guard let supply = unsafe node.value.supply, node.value.position >= node.value.count else { return nil }
    let index = node.value.index
    return try unsafe supply._withUnsafeGuaranteedRef { try $0.source.text(ofNode: index) }
  }

  @usableFromInline @inline(never)
  func takeSuppliedNil() -> Bool {
    guard let supply = unsafe node.value.supply else { return false }
    let index = node.value.index
    return unsafe supply._withUnsafeGuaranteedRef { $0.source.takeNilReference(ofNode: index) }
  }
}
