#if Collections
  public import Arc
  public import ArcFormat
  public import HashTreeCollections

  extension TreeSet: CodedWithoutOrder {
    package static var hasEntries: Bool { false }
  }

  extension TreeDictionary: CodedWithoutOrder {
    package static var hasEntries: Bool { true }
  }

  extension TreeSet: ColumnValue, ArchivableValue where Element: ArchivableValue {
    /// The name of the type in archives, `TreeSet<T>`.
    public static var __archiveName: __ArchiveName { "TreeSet<\(Element.self)>" }
    /// Returns the type encoding of a set, `$<T>`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      Set<Element>.__typeEncoding(in: context)
    }
    /// The value without content: the empty set.
    public static var __emptyValue: TreeSet? { [] }
    /// Reads the elements of the set from the column. The elements must be distinct.
    ///
    /// - Throws: `ArchiveError` with code `duplicateKey` if two elements are equal. Elements that refer to
    ///   objects are checked when all objects are linked: reading then throws `hashCycle` if two elements
    ///   are equal, or if the hash of an element has changed. Spec: 05-graph, rules G9 and G10.
    public static func __read(from column: ColumnReader) throws -> TreeSet {
      // Reading a `Set` finds equal elements, and records the hashes of elements for the check after linking.
      TreeSet(try Set<Element>.__read(from: column))
    }
    /// Appends the elements of the set to the column, in canonical order if the archiver is canonical.
    ///
    /// - Throws: `ArchiveError` with code `duplicateKey` if two elements are equal. Spec: 05-graph, rule W8.
    public func __write(to column: ColumnWriter) throws { try column.append(set: self) }
  }

  extension TreeDictionary: ColumnValue, ArchivableValue where Key: ArchivableValue, Value: ArchivableValue {
    /// The name of the type in archives, `TreeDictionary<K, V>`.
    public static var __archiveName: __ArchiveName { "TreeDictionary<\(Key.self), \(Value.self)>" }
    /// Returns the type encoding of a dictionary, `$<K:V>`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      [Key: Value].__typeEncoding(in: context)
    }
    /// The value without content: the empty dictionary.
    public static var __emptyValue: TreeDictionary? { [:] }
    /// Reads the keys and the values from the column. The keys must be distinct.
    ///
    /// - Throws: `ArchiveError` with code `duplicateKey` if two keys are equal. Keys that refer to
    ///   objects are checked when all objects are linked: reading then throws `hashCycle` if two keys are
    ///   equal, or if the hash of a key has changed. Spec: 05-graph, rules G9 and G10.
    public static func __read(from column: ColumnReader) throws -> TreeDictionary {
      var dictionary: TreeDictionary = [:]
      for (key, value) in try [Key: Value].__read(from: column) {
        dictionary.updateValue(value, forKey: key)
      }
      return dictionary
    }
    /// Appends the keys and the values to the column, in canonical order if the archiver is canonical.
    ///
    /// - Throws: `ArchiveError` with code `duplicateKey` if two keys are equal. Spec: 05-graph, rule W8.
    public func __write(to column: ColumnWriter) throws {
      try column.append(dictionary: self, keys: keys)
    }
  }
#endif
