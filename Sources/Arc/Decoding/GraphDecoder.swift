import ArcArchive
import ArcFormat

/// Builds objects from rows, and finds the objects to which the rows refer.
///
/// The rows belong to an archive or are `InputRow`s. An `ArchiveDecoder` builds the objects of an archive in
/// phases. A reader of another format fills an `InputRow` for each object. All columns from which objects are
/// built refer to the decoder.
package final class GraphDecoder {
  /// The objects by row, which generated code reads without calling the decoder.
  let references = Handle(ObjectLookup())
  /// The rows of the archive that is read; nil if a reader of another format fills the rows.
  var view: RowsView?
  /// The values that the caller supplied for the program's own code.
  var context: ArchiveContext
  // Out of line, so that accesses are not checked for overlap.
  /// The checks of sets and dictionaries whose keys refer to objects.
  let keyChecks = Cell<[KeyCheck]>([])
  /// The state of the graph that is read. It is reset for the next graph.
  var state: State {
    @inline(__always) _read { yield currentState.value }
    @inline(__always) _modify { yield &currentState.value }
  }
  private let currentState = Cell(State())
  /// The maximum number of nested values of a recursive type.
  let nestingLimit: Int

  /// The state of reading one graph.
  struct State {
    /// The number of levels of the recursive value that is read now.
    var nesting = 0
    /// Determines from the references that were read so far whether the objects are retained.
    var ownership = OwnershipCheck(logsReferences: false)
    /// The row of the last object to which a reference referred before the object was built. Nil if there was
    /// none.
    var neededRow: Int?
    /// The objects that replace the objects of the archive after an error, while Arc undoes the links. Nil at
    /// all other times.
    var placeholders: PlaceholderObjects?
    /// If only a part of the archive is read: the rows outside the part, whose objects are not built although
    /// references refer to them. Nil if the whole archive is read.
    var unread: UnreadRows?
  }

  init(nestingLimit: Int, view: RowsView?, context: ArchiveContext) {
    self.nestingLimit = nestingLimit
    self.view = view
    self.context = context
  }

  deinit {
    references.value.objects.releaseAll()
    references.value.free()
    references.free()
  }

  /// Prepares for a graph with `rowCount` rows, including row 0. If `isLogging` is true, every reference is
  /// logged.
  func begin(rowCount: Int, isLogging: Bool) {
    references.value.begin(rowCount: rowCount, isLogging: isLogging, source: self)
  }

  /// Releases all objects and resets the state.
  package func end() {
    references.value.prepareForReuse()
    if !keyChecks.value.isEmpty { keyChecks.value.removeAll() }
    state = State()
  }

  // MARK: Ownership

  /// Logs every reference from now on, to determine which objects row 0 retains.
  package func logReferences() {
    state.ownership = OwnershipCheck(logsReferences: true)
    references.value.beginLogging()
  }

  /// Returns the rows that row 0 retains, directly or indirectly. A row comes after the rows that it retains,
  /// except in cycles. Empty if references were not logged.
  package func rowsFromTheLeaves() -> [Int] {
    state.ownership.rowsFromTheLeaves(of: references.value.rowCount).filter { $0 > 0 }
  }

  /// Returns for each row whether row 0 retains it, directly or indirectly. Nil if references were not
  /// logged.
  ///
  /// - Throws: `ArchiveError` with code `unownedTarget` for an unowned reference to an object that row 0 does
  ///   not retain.
  package func reachableRows() throws(ArchiveError) -> [Bool]? {
    try state.ownership.reachableRows(
      of: references.value.rowCount, isReplaced: { references.value.isReplaced($0) })
  }

  /// Undoes the links of objects, so that cycles cannot retain them. `forEachRow` calls its argument with
  /// each row and the reader of its class. Replacements remain linked.
  func unlink(_ forEachRow: (_ visit: (Int, ClassReader) -> Void) throws -> Void) rethrows {
    var unlinker = ObjectUnlinker()
    try forEachRow { row, reader in
      guard !references.value.isReplaced(row), let object = references.value.objects.object(at: row) else {
        return
      }
      unlinker.unlink(object, reader)
    }
  }
}
