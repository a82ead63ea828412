/// Methods that read whole arrays of numbers. If the numbers in the file are as wide as the program's type,
/// they are copied as bytes.
extension ColumnReader {
  /// Reads the next integers as values of type `T`. The integers in the file may be narrower or wider than
  /// `T`.
  @inlinable package func integers<T: FixedWidthInteger & BitwiseCopyable>(
    _ count: Int, into memory: UnsafeMutablePointer<T>
  ) throws {
    try require(count)
    if node.value.width == MemoryLayout<T>.size, node.value.isSigned == T.isSigned {
      return unsafe try fixed(count, into: memory)
    }
    for index in 0..<count { unsafe (memory + index).initialize(to: try integer()) }
  }

  /// Reads the next values of fixed size.
  @inlinable package func fixed<T: BitwiseCopyable>(_ count: Int, into memory: UnsafeMutablePointer<T>)
    throws
  {
    try require(count)
    guard node.value.width == MemoryLayout<T>.size else {
      throw wrongWidth()
    }
    let position = node.value.position
    unsafe UnsafeMutableRawPointer(memory).copyMemory(
      from: node.value.values.start + position * MemoryLayout<T>.size,
      byteCount: count * MemoryLayout<T>.size)
    node.value.position = position + count
  }

  /// Reads the next floating-point numbers as `Double`.
  @inlinable package func doubles(_ count: Int, into memory: UnsafeMutablePointer<Double>) throws {
    if node.value.width == MemoryLayout<Double>.size {
      return unsafe try fixed(count, into: memory)
    }
    try require(count)
    for index in 0..<count { unsafe (memory + index).initialize(to: try double()) }
  }

  /// Reads the next floating-point numbers as `Float`.
  @inlinable package func floats(_ count: Int, into memory: UnsafeMutablePointer<Float>) throws {
    if node.value.width == MemoryLayout<Float>.size {
      return unsafe try fixed(count, into: memory)
    }
    try require(count)
    for index in 0..<count { unsafe (memory + index).initialize(to: try float()) }
  }

  /// Reads the next numbers as an array. The type of the numbers must have the trait `bulk`.
  @inlinable package func numbers<Number>(_ count: Int) throws -> [Number] {
    try require(count)
    return unsafe try [Number](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      unsafe try copy(count, of: Number.self, to: UnsafeMutableRawPointer(start))
      initialized = count
    }
  }

  /// Reads the next numbers. The type of the numbers must have the trait `bulk`.
  @inlinable @inline(__always)
  func copy<Number>(_ count: Int, of type: Number.Type, to memory: UnsafeMutableRawPointer) throws {
    // In specialized code, only the line for `Number` remains.
    if type == Int.self { return unsafe try copy(count, as: Int.self, to: memory) }
    if type == UInt8.self { return unsafe try copy(count, as: UInt8.self, to: memory) }
    if type == Double.self {
      return unsafe try doubles(count, into: memory.bindMemory(to: Double.self, capacity: count))
    }
    if type == Float.self {
      return unsafe try floats(count, into: memory.bindMemory(to: Float.self, capacity: count))
    }
    if type == Int8.self { return unsafe try copy(count, as: Int8.self, to: memory) }
    if type == Int16.self { return unsafe try copy(count, as: Int16.self, to: memory) }
    if type == Int32.self { return unsafe try copy(count, as: Int32.self, to: memory) }
    if type == Int64.self { return unsafe try copy(count, as: Int64.self, to: memory) }
    if type == Int128.self { return unsafe try copy(count, as: Int128.self, to: memory) }
    if type == UInt16.self { return unsafe try copy(count, as: UInt16.self, to: memory) }
    if type == UInt32.self { return unsafe try copy(count, as: UInt32.self, to: memory) }
    if type == UInt64.self { return unsafe try copy(count, as: UInt64.self, to: memory) }
    if type == UInt128.self { return unsafe try copy(count, as: UInt128.self, to: memory) }
    if type == UInt.self { return unsafe try copy(count, as: UInt.self, to: memory) }
    throw error(
      .typeMismatch, found: "a read into an array of '\(type)'",
      expected: "a read into an array of fixed-width numbers")
  }

  @inlinable @inline(__always)
  func copy<Number: FixedWidthInteger & BitwiseCopyable>(
    _ count: Int, as type: Number.Type, to memory: UnsafeMutableRawPointer
  ) throws {
    unsafe try integers(count, into: memory.bindMemory(to: Number.self, capacity: count))
  }
}
