import ArcArchive
import ArcFormat

/// An object whose hashed properties wait until all links are set, and the position of its columns.
struct DeferredLink {
  let row: Int
  let classIndex: Int
  let segment: Int
  /// The row counted among those of the class in the segment.
  let rowInClass: Int
  /// The positions of the columns of the class's `deferredSlots`.
  let states: [[Int]]
}

/// Fills sets and dictionaries with objects in their keys, when all other properties are linked, and checks
/// that every key is found in the end.
///
/// A class, because filling calls code of the program, which has more sets checked.
final class Hashing {
  private let rows: GraphRows
  private var checks: [KeyCheck] = []

  /// A check for a set or dictionary whose keys refer to objects, made when all of these are linked.
  private struct KeyCheck {
    let column: ColumnReader
    /// The row of the object that has the collection.
    let row: Int
    let isConsistent: () -> Bool
  }

  init(rows: GraphRows) { self.rows = rows }

  /// Has a set or dictionary of objects checked when all of them are linked: whether its keys still hash as
  /// they did.
  func checkLater(_ column: ColumnReader, _ isConsistent: @escaping () -> Bool) {
    checks.append(
      KeyCheck(column: column, row: rows.references.value.currentRow, isConsistent: isConsistent))
  }

  /// Fills the hashed properties of objects, which are in the order of rows, until every key is found. Spec:
  /// 05-graph, rules G9 and G10.
  ///
  /// A key's hash may read another such set, so a round may be in vain. Objects deeper in the graph mostly
  /// have later rows, hence the order; where that fails, the other way round.
  func fill(_ deferred: [DeferredLink]) throws {
    let fixedChecks = checks
    let rounds = min(deferred.count + 1, 64)
    for round in 0..<rounds {
      checks = []
      if round % 2 == 0 {
        for link in deferred.reversed() { try fill(link) }
      } else {
        for link in deferred { try fill(link) }
      }
      if checks.allSatisfy({ $0.isConsistent() }) {
        checks = fixedChecks
        return
      }
    }
    try checkKeys()
  }

  private func fill(_ link: DeferredLink) throws {
    guard let reader = rows.schema.readers[link.classIndex] else { return }
    try fill(link, reader, reader.type)
  }

  private func fill<Object: Archivable>(_ link: DeferredLink, _ reader: ClassReader, _ type: Object.Type)
    throws
  {
    rows.references.value.currentRow = link.row
    do {
      if reader.boundSegment != link.segment,
        let bound = try rows.view.rows(inSegment: link.segment).rows(ofClass: link.classIndex)
      {
        reader.bind(bound, in: .link, .hash)
        reader.boundSegment = link.segment
      }
      for (slot, state) in zip(reader.deferredSlots, link.states) { reader.set.restore(state, ofRoot: slot) }
      reader.keys?.row = link.rowInClass
      for phase in reader.defersKeys ? [DecodingPhase.link, .hash] : [.hash] {
        try reader.readPresence(in: phase)
        try rows.withObject(link.row, as: type) {
          try $0.link(from: ObjectDecoder(reader, linking: $0, in: phase))
        }
      }
    } catch {
      throw rows.located(error, reader, link.row)
    }
  }

  /// Throws `hashCycle` unless the keys of every set and dictionary of objects are distinct, and hash as they
  /// did. Spec: 05-graph, rules G9 and G10.
  func checkKeys() throws {
    if let check = checks.first(where: { !$0.isConsistent() }) {
      throw check.column.hashCycle(objectID: rows.view.id(ofRow: check.row))
    }
  }
}

extension ColumnReader {
  /// The error for a set or dictionary whose keys are no longer distinct, or no longer found.
  func hashCycle(objectID: ObjectID?) -> ArchiveError {
    locatedInProperty(
      ArchiveError(
        .hashCycle,
        found: "keys that became equal, or whose hash or order depends on the collection that contains them",
        expected: "distinct keys whose hashes do not change while the graph is read",
        remedy:
          "hash the keys by properties that do not refer back to the collection, and declare the collection "
          + "'var'; if the program compares fewer properties than the program that wrote the file, read the "
          + "file with unknownContent: .preserve(in:) or .leaveOut, which treat equal keys as one",
        objectID: objectID))
  }
}
