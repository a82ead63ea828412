import ArcArchive
import ArcFormat

/// The count and the sizes of all segments of one kind.
struct SegmentKindTotal {
  let name: String
  private(set) var count = 0
  /// The bytes before and after compression.
  private(set) var rawByteCount = 0
  private(set) var storedByteCount = 0

  private init(name: String) { self.name = name }

  /// The kinds in the order in which they first occur.
  static func all(of file: ArchiveFile) -> [SegmentKindTotal] {
    var totals: [SegmentKindTotal] = []
    for segment in file.segments {
      let name = segment.kindText
      let index = totals.firstIndex { $0.name == name } ?? totals.count
      if index == totals.count { totals.append(SegmentKindTotal(name: name)) }
      totals[index].count += 1
      totals[index].rawByteCount &+= segment.rawByteCount
      totals[index].storedByteCount &+= segment.storedByteCount
    }
    return totals
  }
}
