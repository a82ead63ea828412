import ArcArchive
import ArcFormat

/// An object with properties that are set after all links, because setting them hashes other objects. Also
/// contains the positions in the columns at which the values of these properties begin.
struct DeferredLink {
  let row: Int
  let classIndex: Int
  let segment: Int
  /// The index of the row among the rows of the class in the segment.
  let rowInClass: Int
  /// For each slot in the reader's `deferredSlots`, in their order: the positions at which the columns of the
  /// slot are read.
  let states: [[Int]]
}

/// Fills sets and dictionaries whose keys contain objects, after all other properties are set.
struct Hashing {
  let rows: GraphRows

  /// Sets the properties that hash other objects, in rounds, until each set and dictionary finds all its
  /// keys. `deferred` contains the objects with such properties, in the order of rows. Throws `hashCycle` if
  /// a key is not found after the last round. Spec: 05-graph, rules G9 and G10.
  func fill(_ deferred: [DeferredLink]) throws {
    if deferred.isEmpty { return }
    let decoder = rows.decoder
    let earlierCount = decoder.keyCheckCount
    let isDone = try decoder.setHashedProperties(ofObjects: deferred.count) { number, _ in
      try fill(deferred[number])
    }
    if !isDone { try decoder.checkKeys(after: earlierCount) }
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
        try rows.decoder.link(type, reader, row: link.row, in: phase)
      }
    } catch {
      throw rows.located(error, reader, link.row)
    }
  }
}
