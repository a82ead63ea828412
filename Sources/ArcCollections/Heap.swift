#if Collections
  public import Arc
  public import ArcFormat
  public import HeapModule

  extension Heap: ColumnValue, ArchivableValue where Element: ArchivableValue {
    /// The name of the type, `Heap<T>`.
    public static var __archiveName: __ArchiveName { "Heap<\(Element.self)>" }
    /// The encoding of an array, `$[T]`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      context.hashed { [Element].__typeEncoding(in: context) }
    }
    /// The empty heap.
    public static var __emptyValue: Heap? { [] }
    /// Reads the elements in any order.
    ///
    /// - Throws: `ArchiveError` with code `hashCycle`, after all objects are linked, if elements then compare
    ///   differently.
    public static func __read(from column: ColumnReader) throws -> Heap {
      let heap = Heap(try [Element].__read(from: column))
      column.checkWhenLinked(elements: column.child(0)) {
        // To make a heap of one moves nothing.
        heap.unordered.elementsEqual(Heap(heap.unordered).unordered)
      }
      return heap
    }
    /// Appends the elements in the order of the heap's memory.
    public func __write(to column: ColumnWriter) throws { try unordered.__write(to: column) }
  }
#endif
