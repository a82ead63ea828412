import ArcArchive
import ArcFormat

/// The number and the total size of all segments of one kind.
struct SegmentKindTotal {
  let name: String
  private(set) var count = 0
  /// The number of bytes before compression.
  private(set) var rawByteCount = 0
  /// The number of bytes after compression.
  private(set) var storedByteCount = 0

  private init(name: String) { self.name = name }

  /// Returns the totals of all kinds, in the order in which the kinds first occur.
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
