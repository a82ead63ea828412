import ArcArchive
import ArcFormat

// Objects that may lead back to themselves: built first, and linked when all of them are there.

extension RowDecoder {
  /// Has it noted which object holds which.
  package func logReferences() {
    references.value.noteAllReferences()
    log = ReferenceLog()
  }

  func noteReference(to row: Int, from column: ColumnReader) {
    guard !column.isWeak, !column.isUnowned else { return }
    log?.add(owner: references.value.currentRow, target: row)
  }

  /// Builds the object of a row, which is filled but for what is set later, and sets nothing of that.
  package func construct(_ reader: RowReader, row: Int) throws {
    reader.row.bind()
    references.value.currentRow = row
    references.value.objects.place(try construct(reader.type, reader.reader), at: row)
    references.value.objects.noteBuiltByNeed(row)
  }

  private func construct<Object: Archivable>(_ type: Object.Type, _ reader: ClassReader) throws -> AnyObject {
    let object = try Object(from: ObjectDecoder(reader, slot: reader.initializerSlot, phase: .initializer))
    if reader.needsLink(in: .fill) {
      try object.link(from: ObjectDecoder(reader, linking: object, in: .fill))
    }
    return object
  }

  /// Sets those properties of the object of a row, which is filled, that are set in a step.
  package func link(_ reader: RowReader, row: Int, in step: RowReader.LinkStep) throws {
    reader.row.bind()
    references.value.currentRow = row
    try link(reader.type, reader.reader, row, step.phase)
  }

  private func link<Object: Archivable>(
    _ type: Object.Type, _ reader: ClassReader, _ row: Int, _ phase: DecodingPhase
  ) throws {
    guard let placed = references.value.objects.placed(at: row),
      let object = references.value.cast(placed, to: type)
    else { return }
    try object.link(from: ObjectDecoder(reader, linking: object, in: phase))
  }

  /// Has a row lead to the object of another one, which is built.
  package func placeObject(ofRow row: Int, alsoInRow other: Int) {
    guard let object = object(inRow: row), !hasObject(inRow: other) else { return }
    references.value.objects.place(object, at: other)
    references.value.objects.noteBuiltByNeed(other)
    log?.add(owner: other, target: row)
  }

  /// The rows that row 0 holds, directly or not, each after those that it holds, unless they lead back to it.
  package func rowsFromTheLeaves() -> [Int] {
    loggedReferences?.rowsFromLeavesToRoots().filter { $0 > 0 } ?? []
  }

  /// For each row whether row 0 holds it, directly or not.
  package func heldRows() -> [Bool] {
    loggedReferences?.rowsReachedFromRoots() ?? Array(repeating: true, count: references.value.rowCount)
  }

  private var loggedReferences: RowReferences? {
    log.map { RowReferences($0, rowCount: references.value.rowCount) }
  }

  /// Undoes the links of the object of a row, so that it does not keep itself.
  package func unlink(_ reader: RowReader, row: Int, by unlinking: inout RowUnlinking) {
    guard let object = object(inRow: row) else { return }
    unlinking.unlinker.unlink(object, of: reader.reader.programClass)
  }

  // MARK: Keys

  /// The number of sets and dictionaries whose keys are checked in the end.
  package var keyCheckCount: Int { keyChecks.value.count }

  /// Whether all sets and dictionaries find their keys.
  package var areKeysConsistent: Bool { keyChecks.value.allSatisfy { $0.isConsistent() } }

  /// Forgets to check the last ones, which are made again.
  package func forgetKeyChecks(after count: Int) {
    keyChecks.value.removeLast(max(keyChecks.value.count - count, 0))
  }
}

/// What is known of how links are undone.
package struct RowUnlinking {
  var unlinker = ObjectUnlinker()

  /// Nothing is known yet.
  package init() {}
}

extension RowReader.LinkStep {
  init?(_ phase: DecodingPhase) {
    switch phase {
    case .link: self = .plain
    case .hash: self = .hashed
    case .initializer, .fill, .unlinking: return nil
    }
  }

  var phase: DecodingPhase {
    switch self {
    case .plain: .link
    case .hashed: .hash
    }
  }
}
