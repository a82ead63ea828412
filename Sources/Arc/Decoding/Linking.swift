import ArcFormat
import ArcMemory

/// Sets the properties that refer to other objects, when all objects exist.
///
/// Properties whose values hash objects are set after all other properties.
struct Linking {
  let rows: GraphRows
  private let steps: ReadingSteps
  /// The objects that have properties to set after all links, because setting these properties hashes other
  /// objects. The objects are in the order of rows.
  private(set) var deferred: [DeferredLink] = []

  init(rows: GraphRows, steps: ReadingSteps) {
    self.rows = rows
    self.steps = steps
  }

  /// Links all objects.
  mutating func run() throws {
    guard rows.schema.needs.contains(.link) else { return }
    // Retaining an object takes twice as long if a weak reference refers to it, so weak references are set
    // last.
    for setsWeak in [false, true] {
      try rows.forEachGroup {
        $0.isVisited(in: .link) && $0.setsWeakLinks == setsWeak
      } body: { reader, segment, ranges in
        try link(reader.type, reader, .link, segment, ranges)
        try steps.finish(segment: segment, in: .linking, until: .ending)
      }
    }
    deferred.sort { $0.row < $1.row }
  }

  private mutating func link<Object: Archivable>(
    _ type: Object.Type, _ reader: ClassReader, _ phase: DecodingPhase, _ segment: Int,
    _ ranges: RowRanges
  ) throws {
    let decoder = ObjectDecoder(reader, slot: 0, phase: phase)
    let defersKeys = phase == .link && reader.defersKeys
    let defersSlots = phase == .link && !reader.deferredSlots.isEmpty
    let mayBeReplaced = reader.mayBeReplaced
    let needsLink = !defersKeys && reader.needsLink(in: phase)
    let storesValues = needsLink && reader.storesValues
    let readsPresence = needsLink && reader.readsPresence(in: phase)
    let keys = reader.keys
    let references = rows.references
    let graph = rows.decoder
    // Links may be in any cache line of an object. At most 256 bytes of an object are prefetched.
    let lineCount = (min(InstanceSize.byteCount(of: type), 256) + 63) / 64
    do {
      for index in ranges.indices {
        for row in ranges[index] {
          references.value.objects.prefetch(row + 8, lineCount: lineCount)
          references.value.currentRow = row
          if mayBeReplaced, references.value.isReplaced(row) {
            try reader.skipLinks(in: phase)
            continue
          }
          if defersKeys || defersSlots { try deferLink(row, reader, segment) }
          if readsPresence { try reader.readPresence(in: phase) }
          if storesValues {
            try graph.link(type, reader, row: row, in: phase)
          } else if needsLink {
            try graph.withObject(row, as: type) { try $0.link(from: decoder) }
          }
          keys?.row += 1
        }
      }
    } catch {
      throw rows.located(error, reader, references.value.currentRow)
    }
  }

  /// Adds an object to `deferred`, because some of its properties are set after all links. Skips the values
  /// of these properties in their columns.
  private mutating func deferLink(_ row: Int, _ reader: ClassReader, _ segment: Int) throws {
    deferred.append(
      DeferredLink(
        row: row, classIndex: reader.classIndex, segment: segment,
        rowInClass: reader.keys?.row ?? 0,
        states: reader.deferredSlots.map { reader.set.state(ofRoot: $0) }))
    for slot in reader.deferredSlots { try reader.set.skip(root: slot, count: 1) }
  }
}
