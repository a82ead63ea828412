#if Collections
  public import Arc
  public import ArcFormat
  public import DequeModule

  extension Deque: ColumnValue, ArchivableValue where Element: ArchivableValue {
    /// The name of the type in archives, `Deque<T>`.
    public static var __archiveName: __ArchiveName { "Deque<\(Element.self)>" }
    /// Returns the type encoding of an array, `$[T]`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      [Element].__typeEncoding(in: context)
    }
    /// The value without content: the empty deque.
    public static var __emptyValue: Deque? { [] }
    /// Reads the elements of the deque from the column, from the front to the back.
    public static func __read(from column: ColumnReader) throws -> Deque {
      Deque(try [Element].__read(from: column))
    }
    /// Appends the elements of the deque to the column, from the front to the back.
    public func __write(to column: ColumnWriter) throws { try Array(self).__write(to: column) }
  }
#endif
