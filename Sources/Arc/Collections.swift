extension Array: ArchivableValue where Element: ArchivableValue {
  /// `Array<T>`.
  public static var __archiveName: ArchiveName { "Array<\(Element.self)>" }
  /// `$[T]`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    .list(Element.__typeEncoding(in: context))
  }
  /// `[]`.
  @inlinable public static var __emptyValue: [Element]? { [] }
  /// Reads a length and so many elements.
  @inlinable public static func __read(from column: ColumnReader) throws -> [Element] {
    let count = try column.__integer(Int.self)
    if count == 0 { return [] }
    let elements = column.__child(0)
    if Element.__isBulk {
      try elements.__require(count)
      return unsafe try Array(unsafeUninitializedCapacity: count) { memory, initialized in
        guard let start = memory.baseAddress else { return }
        unsafe try Element.__readElements(count, into: UnsafeMutableRawPointer(start), from: elements)
        initialized = count
      }
    }
    var array: [Element] = []
    array.reserveCapacity(elements.__capacity(count))
    for _ in 0..<count {
      array.append(try Element.__read(from: elements))
    }
    return array
  }
  /// Whether the elements are references.
  @inlinable public static var __holdsObjects: Bool { Element.__holdsObjects && Element.__emptyValue == nil }
  /// Appends the array that a property holds. Elements in storage that nothing else refers to may have no other
  /// references.
  @inlinable public static func __writeStored(_ value: () -> [Element], to column: ColumnWriter) throws {
    guard Element.__holdsObjects, MemoryLayout<[Element]>.size == MemoryLayout<UInt>.size else {
      return try value().__write(to: column)
    }
    // The array is let go of before anything asks how many refer to its storage.
    let storage = unsafe unsafeBitCast(value(), to: UInt.self)
    let word = unsafe ReferenceWriter.of(column).pointee.soleWord
    let isSole = SoleReference.isSole(storage, word)
    let array = value()
    guard isSole else { return try array.__write(to: column) }
    column.__append(UInt64(truncatingIfNeeded: array.count))
    unsafe try array.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return }
      unsafe try Element.__writeSoleElements(
        UnsafeRawPointer(start), count: values.count, to: column.__child(0), of: column)
    }
  }
  /// Appends a length and the elements.
  @inlinable public func __write(to column: ColumnWriter) throws {
    column.__append(UInt64(truncatingIfNeeded: count))
    if isEmpty { return }
    let elements = column.__child(0)
    if Element.__isBulk { return elements.__append(contentsOf: self) }
    unsafe try withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return }
      unsafe try Element.__writeElements(UnsafeRawPointer(start), count: values.count, to: elements)
    }
  }
}

extension ContiguousArray: ArchivableValue where Element: ArchivableValue {
  /// `ContiguousArray<T>`.
  public static var __archiveName: ArchiveName { "ContiguousArray<\(Element.self)>" }
  /// That of an array.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    [Element].__typeEncoding(in: context)
  }
  /// `[]`.
  @inlinable public static var __emptyValue: ContiguousArray? { [] }
  /// Reads an array.
  @inlinable public static func __read(from column: ColumnReader) throws -> ContiguousArray {
    try ContiguousArray([Element].__read(from: column))
  }
  /// Appends an array.
  @inlinable public func __write(to column: ColumnWriter) throws { try Array(self).__write(to: column) }
}

extension Set: ArchivableValue where Element: ArchivableValue {
  /// `Set<T>`.
  public static var __archiveName: ArchiveName { "Set<\(Element.self)>" }
  /// `$<T>`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    .set(Element.__typeEncoding(in: context))
  }
  /// `[]`.
  @inlinable public static var __emptyValue: Set? { [] }
  /// Reads a length and so many distinct elements.
  public static func __read(from column: ColumnReader) throws -> Set {
    let count = try column.__integer(Int.self)
    let elements = column.__child(0)
    var set = Set(minimumCapacity: elements.__capacity(count))
    var keys = KeyDigest(column)
    for _ in 0..<count {
      let element = try Element.__read(from: elements)
      keys.add(element)
      set.insert(element)
    }
    try keys.check(set, count: count)
    return set
  }
  /// Appends a length and the elements; in canonical order if the archiver was told so.
  public func __write(to column: ColumnWriter) throws {
    try DistinctKeys.check(self, column)
    column.__append(UInt64(count))
    let elements = column.__child(0)
    guard CanonicalOrder.matters(count, column) else {
      for key in self { try key.__write(to: elements) }
      return
    }
    try CanonicalOrder.append(Array(self), to: elements)
  }
}

extension Dictionary: ArchivableValue where Key: ArchivableValue, Value: ArchivableValue {
  /// `Dictionary<K, V>`.
  public static var __archiveName: ArchiveName { "Dictionary<\(Key.self), \(Value.self)>" }
  /// `$<K:V>`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    .dictionary(key: Key.__typeEncoding(in: context), value: Value.__typeEncoding(in: context))
  }
  /// `[:]`.
  @inlinable public static var __emptyValue: Dictionary? { [:] }
  /// Reads a length and so many entries with distinct keys.
  public static func __read(from column: ColumnReader) throws -> Dictionary {
    let count = try column.__integer(Int.self)
    let keys = column.__child(0)
    let values = column.__child(1)
    var dictionary = Dictionary(minimumCapacity: keys.__capacity(count))
    var digest = KeyDigest(column)
    for _ in 0..<count {
      let key = try Key.__read(from: keys)
      digest.add(key)
      dictionary.updateValue(try Value.__read(from: values), forKey: key)
    }
    try digest.check(dictionary.keys, count: count)
    return dictionary
  }
  /// Appends a length and the entries; in canonical order if the archiver was told so.
  public func __write(to column: ColumnWriter) throws {
    try DistinctKeys.check(keys, column)
    column.__append(UInt64(count))
    let keys = column.__child(0)
    let values = column.__child(1)
    guard CanonicalOrder.matters(count, column) else {
      for (key, value) in self {
        try key.__write(to: keys)
        try value.__write(to: values)
      }
      return
    }
    try CanonicalOrder.append(Array(self), to: keys, values)
  }
}

/// Notices whether the keys of a set or dictionary hash later as they did when they were added.
///
/// A key that is or holds an object may hash by properties that are set after it was added. The sum of all hash
/// values tells; looking the keys up would not, because a key can be found by luck in a small table.
private struct KeyDigest {
  private let column: ColumnReader
  private let hashesReferences: Bool
  private var sum = 0

  init(_ column: ColumnReader) {
    self.column = column
    hashesReferences = column.__hashesReferences
  }

  mutating func add(_ key: some Hashable) {
    if hashesReferences { sum &+= key.hashValue }
  }

  /// Throws `duplicateKey` if keys were lost. What objects decide is judged when all of them are linked.
  func check(_ keys: some Collection<some Hashable>, count: Int) throws {
    let isComplete = keys.count == count
    if hashesReferences {
      let sum = sum
      GraphDecoder.of(column).checkLater(column) {
        isComplete && keys.reduce(0) { $0 &+ $1.hashValue } == sum
      }
    } else if !isComplete {
      throw column.__error(.duplicateKey, found: "two equal keys or elements", expected: "distinct ones")
    }
  }
}
