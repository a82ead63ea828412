import ArcFormat
import ArcRuntime

extension Array: ArchivableValue where Element: ArchivableValue {
  /// The name of the type in files, `Array<T>`.
  public static var __archiveName: __ArchiveName { "Array<\(Element.self)>" }
  /// Returns the type encoding of an array, `$[T]`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    .list(context.part(Element.self))
  }
  /// The value without content: the empty array.
  @inlinable public static var __emptyValue: [Element]? { [] }
}

extension ContiguousArray: ColumnValue, ArchivableValue, ArchivableByConversion, __ArchivableByExactConversion
where Element: ArchivableValue {
  /// The name of the type in files, `ContiguousArray<T>`.
  public static var __archiveName: __ArchiveName { "ContiguousArray<\(Element.self)>" }
  /// The value without content: the empty array.
  @inlinable public static var __emptyValue: ContiguousArray? { [] }
  /// The archived form: an array of the elements.
  @inlinable public var archivedForm: [Element] { Array(self) }
  /// Creates a contiguous array from an array of its elements.
  @inlinable public init(archivedForm: [Element]) { self.init(archivedForm) }
}

extension ArraySlice: ColumnValue, ArchivableValue, ArchivableByConversion, __ArchivableByExactConversion
where Element: ArchivableValue {
  /// The name of the type in files, `ArraySlice<T>`.
  public static var __archiveName: __ArchiveName { "ArraySlice<\(Element.self)>" }
  /// The value without content: the empty slice.
  @inlinable public static var __emptyValue: ArraySlice? { [] }
  /// The archived form: an array of the slice's elements, without the other elements of the underlying array.
  @inlinable public var archivedForm: [Element] { Array(self) }
  /// Creates a slice of all elements of an array, with indices from 0.
  @inlinable public init(archivedForm: [Element]) { self.init(archivedForm) }
}

extension Set: ColumnValue, ArchivableValue where Element: ArchivableValue {
  /// The name of the type in files, `Set<T>`.
  public static var __archiveName: __ArchiveName { "Set<\(Element.self)>" }
  /// Returns the type encoding of a set, `$<T>`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    .set(context.key(Element.self))
  }
  /// The value without content: the empty set.
  @inlinable public static var __emptyValue: Set? { [] }
  /// Reads a set from a column: the number of elements, then the elements.
  ///
  /// - Throws: `ArchiveError` with code `duplicateKey` if two elements are equal. Elements that refer to
  ///   objects are checked when all objects are linked: reading then throws `hashCycle` if two elements are
  ///   equal, or if the hash of an element has changed. Spec: 05-graph, rules G9 and G10.
  public static func __read(from column: ColumnReader) throws -> Set {
    let count = try column.integer(Int.self)
    let elements = column.child(0)
    var set = Set(minimumCapacity: elements.capacity(count))
    var keys = KeyDigest(column, keys: elements)
    var omittedCount = 0
    for _ in 0..<count {
      if elements.skipsRemovedReference(Element.self) {
        omittedCount += 1
        continue
      }
      let element = try Element.__read(from: elements)
      let (isNew, known) = set.insert(element)
      if !isNew, elements.isRepeatedKey(known, element) {
        omittedCount += 1
        keys.addEqual(known, element)
      } else {
        keys.add(element)
      }
    }
    try keys.check(set, count: count - omittedCount)
    return set
  }
  /// Writes the set to a column: the number of elements, then the elements.
  ///
  /// If the archiver is canonical, the elements are in canonical order.
  public func __write(to column: ColumnWriter) throws { try column.append(set: self) }
}

extension Dictionary: ColumnValue, ArchivableValue where Key: ArchivableValue, Value: ArchivableValue {
  /// The traits of the dictionary: `erased` if the type of its values has this trait, otherwise none.
  @inlinable public static var __traits: __ValueTraits { Value.__traits.intersection(.erased) }
  /// The name of the type in files, `Dictionary<K, V>`.
  public static var __archiveName: __ArchiveName { "Dictionary<\(Key.self), \(Value.self)>" }
  /// Returns the type encoding of a dictionary, `$<K:V>`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    .dictionary(key: context.key(Key.self), value: context.part(Value.self))
  }
  /// The value without content: the empty dictionary.
  @inlinable public static var __emptyValue: Dictionary? { [:] }
  /// Reads a dictionary from a column: the number of entries, then the keys and the values.
  ///
  /// - Throws: `ArchiveError` with code `duplicateKey` if two keys are equal. Keys that refer to objects are
  ///   checked when all objects are linked: reading then throws `hashCycle` if two keys are equal, or if the
  ///   hash of a key has changed. Spec: 05-graph, rules G9 and G10.
  public static func __read(from column: ColumnReader) throws -> Dictionary {
    let count = try column.integer(Int.self)
    let keys = column.child(0)
    let values = column.child(1)
    var dictionary = Dictionary(minimumCapacity: keys.capacity(count))
    var digest = KeyDigest(column, keys: keys)
    var omittedCount = 0
    for _ in 0..<count {
      let key = keys.skipsRemovedReference(Key.self) ? nil : try Key.__read(from: keys)
      let value = values.skipsRemovedReference(Value.self) ? nil : try Value.__read(from: values)
      guard let key, let value else {
        omittedCount += 1
        continue
      }
      if keys.mayHaveRepeatedKeys, let index = dictionary.index(forKey: key),
        keys.isRepeatedKey(dictionary.keys[index], key)
      {
        // If keys became equal because parts were omitted, the first key counts. The program does not know
        // the parts in which they differ.
        if keys.isMergedKey(dictionary.keys[index], key) {
          try keys.checkMerged(dictionary.values[index], value)
        }
        omittedCount += 1
        digest.addEqual(dictionary.keys[index], key)
        continue
      }
      digest.add(key)
      dictionary.updateValue(value, forKey: key)
    }
    try digest.check(dictionary.keys, count: count - omittedCount)
    return dictionary
  }
  /// Writes the dictionary to a column: the number of entries, then the keys and the values.
  ///
  /// If the archiver is canonical, the entries are in canonical order.
  public func __write(to column: ColumnWriter) throws { try column.append(dictionary: self, keys: keys) }
}
