#if Collections
  public import Arc
  public import ArcFormat
  public import HeapModule

  extension Heap: ColumnValue, ArchivableValue where Element: ArchivableValue {
    /// The name of the type in archives, `Heap<T>`.
    public static var __archiveName: __ArchiveName { "Heap<\(Element.self)>" }
    /// Returns the type encoding of an array, `$[T]`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      context.hashed { [Element].__typeEncoding(in: context) }
    }
    /// The value without content: the empty heap.
    public static var __emptyValue: Heap? { [] }
    /// Reads the elements of the heap from the column. The file may contain them in any order.
    ///
    /// If elements refer to objects, the result of comparing two elements can change while the references of
    /// these objects are set. After all references are set, reading throws `hashCycle` if the elements do not
    /// form a heap.
    public static func __read(from column: ColumnReader) throws -> Heap {
      let heap = Heap(try [Element].__read(from: column))
      column.checkWhenLinked(elements: column.child(0)) {
        // Building a heap from the elements of a heap does not move an element.
        heap.unordered.elementsEqual(Heap(heap.unordered).unordered)
      }
      return heap
    }
    /// Appends the elements of the heap to the column, in the order in which the heap stores the elements.
    public func __write(to column: ColumnWriter) throws { try unordered.__write(to: column) }
  }
#endif
