#if Collections
  public import Arc
  public import ArcFormat
  public import OrderedCollections

  // Stored as arrays, because sets and dictionaries in files have no order. A class with hand-written coding
  // reads them before the other objects are linked. There, objects in keys may hash only values that are set
  // when the objects are built.

  extension OrderedSet: ColumnValue, ArchivableValue where Element: ArchivableValue {
    /// The name of the type in archives, `OrderedSet<T>`.
    public static var __archiveName: __ArchiveName { "OrderedSet<\(Element.self)>" }
    /// Returns the type encoding of an array, `$[T]`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      context.hashed { [Element].__typeEncoding(in: context) }
    }
    /// The value without content: the empty set.
    public static var __emptyValue: OrderedSet? { [] }
    /// Reads the elements of the set from the column, in order. The elements must be distinct.
    ///
    /// - Throws: `ArchiveError` with code `duplicateKey` if two elements are equal. Elements that refer to
    ///   objects are checked when all objects are linked: reading then throws `hashCycle` if two elements
    ///   are equal, or if the hash of an element has changed. Spec: 05-graph, rules G9 and G10.
    public static func __read(from column: ColumnReader) throws -> OrderedSet {
      let elements = try [Element].__read(from: column)
      let set = OrderedSet(elements)
      try column.checkDistinct(set, count: elements.count, from: column.child(0))
      return set
    }
    /// Appends the elements of the set to the column, in order.
    ///
    /// - Throws: `ArchiveError` with code `duplicateKey` if two elements are equal. Spec: 05-graph, rule W8.
    public func __write(to column: ColumnWriter) throws {
      try column.checkDistinct(self)
      try Array(self).__write(to: column)
    }
  }

  extension OrderedDictionary: ColumnValue, ArchivableValue
  where Key: ArchivableValue, Value: ArchivableValue {
    /// The name of the type in archives, `OrderedDictionary<K, V>`.
    public static var __archiveName: __ArchiveName { "OrderedDictionary<\(Key.self), \(Value.self)>" }
    /// Returns the type encoding of an array of structures, each with a key and a value.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      // Notes that the keys are hashed. The encoding of the pairs contains the encoding of the keys.
      _ = context.hashed { Key.__typeEncoding(in: context) }
      return [KeyValuePair<Key, Value>].__typeEncoding(in: context)
    }
    /// The value without content: the empty dictionary.
    public static var __emptyValue: OrderedDictionary? { [:] }
    /// Reads the keys with their values from the column, in order. The keys must be distinct.
    ///
    /// - Throws: `ArchiveError` with code `duplicateKey` if two keys that do not refer to objects are equal.
    ///   Keys that refer to objects are compared when all objects are linked: reading then throws `hashCycle`
    ///   if two of these keys are equal, or if linking changed the hash of a key. Spec: 05-graph, rules G9
    ///   and G10.
    public static func __read(from column: ColumnReader) throws -> OrderedDictionary {
      let pairs = try [KeyValuePair<Key, Value>].__read(from: column)
      var dictionary = OrderedDictionary(minimumCapacity: pairs.count)
      for pair in pairs { dictionary.updateValue(pair.value, forKey: pair.key) }
      try column.checkDistinct(dictionary.keys, count: pairs.count, from: column.child(0).child(0))
      return dictionary
    }
    /// Appends the keys with their values to the column, in the order of the dictionary.
    ///
    /// - Throws: `ArchiveError` with code `duplicateKey` if two keys are equal. Spec: 05-graph, rule W8.
    public func __write(to column: ColumnWriter) throws {
      try column.checkDistinct(keys)
      try elements.map { KeyValuePair(key: $0.key, value: $0.value) }.__write(to: column)
    }
  }
#endif
