public import ArcFormat

extension KeyValuePairs: ColumnValue, ArchivableValue where Key: ArchivableValue, Value: ArchivableValue {
  /// The name of the type in files, `KeyValuePairs<K, V>`.
  public static var __archiveName: __ArchiveName { "KeyValuePairs<\(Key.self), \(Value.self)>" }
  /// Returns the type encoding of an array of structures, each with a key and a value.
  ///
  /// The encoding is not a dictionary encoding, because a dictionary has no order and cannot have equal keys.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    [KeyValuePair<Key, Value>].__typeEncoding(in: context)
  }
  /// The value without content: the empty collection of pairs.
  public static var __emptyValue: KeyValuePairs? { [:] }
  /// Reads the pairs from a column, in order.
  public static func __read(from column: ColumnReader) throws -> KeyValuePairs {
    KeyValuePairs(try [KeyValuePair<Key, Value>].__read(from: column).map { ($0.key, $0.value) })
  }
  /// Writes the pairs to a column, in order.
  public func __write(to column: ColumnWriter) throws {
    try map { KeyValuePair(key: $0.key, value: $0.value) }.__write(to: column)
  }

  /// Creates the collection from an array of pairs by a cast, because `KeyValuePairs` has only a literal
  /// initializer.
  ///
  /// The cast is safe because `KeyValuePairs` is a frozen structure whose only stored property is the array
  /// of its pairs.
  private init(_ pairs: [(Key, Value)]) { self = unsafe unsafeBitCast(pairs, to: KeyValuePairs.self) }
}

/// A pair of a key and a value. Ordered collections archive each entry as such a pair.
@Archivable
package struct KeyValuePair<Key: ArchivableValue, Value: ArchivableValue> {
  /// The key. Other pairs may have an equal key.
  package let key: Key
  /// The value for the key.
  package let value: Value
  /// Creates a pair.
  package init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}
