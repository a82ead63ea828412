#if Collections
  public import Arc
  import ArcFormat
  public import DequeModule

  extension Deque: ColumnValue, ArchivableValue, ArchivableByConversion, __ArchivableByExactConversion
  where Element: ArchivableValue {
    /// The name of the type in archives, `Deque<T>`.
    public static var __archiveName: __ArchiveName { "Deque<\(Element.self)>" }
    /// The value without content: the empty deque.
    public static var __emptyValue: Deque? { [] }
    /// The archived form: an array of the elements, from the front to the back.
    public var archivedForm: [Element] { Array(self) }
    /// Creates a deque from an array of its elements.
    public init(archivedForm: [Element]) { self.init(archivedForm) }
  }
#endif
