import ArcFormat

/// Undoes what was linked, so that cycles cannot keep objects alive: those of an archive that could not be
/// read, or those that no root holds.
struct ArchiveUnlinking {
  let rows: GraphRows

  /// Undoes the links of built objects in certain rows.
  func run(where isUnlinked: (Int) -> Bool) {
    let built = rows.references.value.objects.count
    var unlinker = ObjectUnlinker()
    try? rows.forEachRun(in: .unlinking) { reader, _, range in
      for row in range {
        if row < built && isUnlinked(row), !rows.references.value.isReplaced(row),
          let object = unsafe rows.references.value.objects.base[row]
        {
          unsafe object._withUnsafeGuaranteedRef { unlinker.unlink($0, of: reader.programClass) }
          if reader.programClass.isKeyed { unlinkByHand(row, reader, reader.type) }
        }
        reader.keys?.row += 1
      }
    }
  }

  private func unlinkByHand<Object: Archivable>(_ row: Int, _ reader: ClassReader, _ type: Object.Type) {
    try? rows.withObject(row, as: type) {
      try $0.link(from: ObjectDecoder(reader, slot: 0, phase: .unlinking))
    }
  }
}
