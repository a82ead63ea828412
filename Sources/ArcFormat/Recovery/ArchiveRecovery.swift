/// Recovers what is left of a damaged archive: its intact segments, as a new archive.
///
///     let recovery = try ArchiveRecovery(bytes: damaged)
///     print(recovery.segments.filter { !$0.isIntact }, recovery.losses.byteRanges)
///     try Data(recovery.archive()).write(to: url)
///
/// A damaged segment is lost as a whole. Of rows that the end of a file cuts, the properties before the
/// cut are left, if no later segment is: an object that lost some of its own has nil there, or no value.
/// References to lost objects become nil; where they were elements of collections or in entries of
/// dictionaries, these are left out. Strings of a lost segment read `⟨lost string #12⟩`. The named roots
/// stay if row 0 does. Objects that no root leads to any more are in a root of their own, `recovered`:
/// those that nothing else refers to. Objects are renumbered. Strings stand before the rows that have them:
/// of a file that ends in its first strings no object can be left, and those before the end are in a root
/// `recoveredStrings`.
///
/// None of this happens when a file is read: a reader refuses a damaged file as a whole.
public final class ArchiveRecovery {
  /// A segment that the file contains, or contained.
  public struct Segment: Hashable, Sendable {
    /// The kind of the segment and where it is or was.
    public let info: SegmentInfo
    /// Whether its contents are in the new archive; of rows that the end of the file cuts, some may be.
    public let isIntact: Bool
  }

  /// What is not in the new archive.
  public struct Losses: Hashable, Sendable {
    /// The number of lost objects; nil if it is not known.
    public fileprivate(set) var objectCount: Int? = 0
    /// The number of references to lost objects, and of weak references that were lost themselves.
    public fileprivate(set) var referenceCount = 0
    /// The number of values that are lost of objects that are left: a property each.
    public fileprivate(set) var valueCount = 0
    /// The number of lost strings of the string table.
    public fileprivate(set) var stringCount = 0
    /// Whether the named roots are lost.
    public fileprivate(set) var hasLostRoots = false
    /// Whether the archive had metadata that are lost.
    public fileprivate(set) var hasLostMetadata = false
    /// The byte ranges of the file that could not be used.
    public fileprivate(set) var byteRanges: [Range<Int>] = []
    /// Whether nothing is lost.
    public var isEmpty: Bool {
      objectCount == 0 && referenceCount == 0 && valueCount == 0 && stringCount == 0 && byteRanges.isEmpty
        && !hasLostRoots
        && !hasLostMetadata
    }
  }

  /// The name of the root that contains objects to which nothing leads any more.
  public static let recoveredRootName = "recovered"
  /// The name of the root that contains ``strings``.
  public static let recoveredStringsRootName = "recoveredStrings"

  /// All segments of which the file gives evidence, in file order.
  public private(set) var segments: [Segment] = []
  /// What is not in the new archive.
  public private(set) var losses = Losses()
  /// The number of objects that are left.
  public var objectCount: Int { max(0, rows.count - (losses.hasLostRoots ? 0 : 1)) }

  /// The strings that are left of a file that ends before its first rows: without rows it is not known whose
  /// they are, and their root is an array of them. None of a file that has rows.
  public private(set) var strings: [String] = []

  let file: ArchiveFile
  private let search: SegmentSearch
  let rows: RecoveredRows
  private let metadata: [(key: String, value: String)]

  /// Searches a file for what is left.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the damaged file.
  ///   - limits: the maximum costs; a file that needs more is refused.
  /// - Throws: `notAnArchive` if the bytes never were an archive, `damagedSegment` if the class table is lost
  ///   and so nothing can be read, `unsupportedVersion`, `unsupportedFeature` or `limitExceeded`.
  public init(bytes: some Collection<UInt8>, limits: ArchiveLimits = .default) throws(ArchiveError) {
    try ArchiveLimits.check(bytes.count, within: limits.fileBytes, "fileBytes")
    let bytes = Array(bytes)
    let store = ByteStore(copying: bytes)
    search = try SegmentSearch(store, limits: limits)
    let kinds = Set(search.entries.filter(\.isIntact).compactMap(\.info.kind))
    guard !kinds.isEmpty || bytes.starts(with: ArchiveHeader.signature) else {
      throw ArchiveError(
        .notAnArchive, found: "\(bytes.count) bytes without a segment", expected: "an .arc file",
        byteOffset: 0)
    }
    var parts = RecoveredSegments(search, limits: limits)
    guard !parts.classes.isEmpty else {
      throw ArchiveError(
        .damagedSegment, found: "no intact class table",
        expected: "the CLSS segment, without which no row can be read",
        remedy: "nothing can be recovered", byteOffset: ArchiveHeader.byteCount)
    }
    let file = try parts.file(bytes)
    self.file = file
    rows = try RecoveredRows(file, parts.rowsPositions, cut: parts.cut, limits: limits)
    metadata = (parts.metadata.flatMap { try? file.metadata(at: $0) } ?? [])
      .filter { !MetadataSegment.isOfRows($0.key) }
    if rows.count == 0, !search.hasIndex, let table = try? file.strings() {
      strings = (0..<UInt64(table.count)).compactMap { try? table.string($0) }
    }
    take(stock: parts, byteCount: bytes.count)
  }

  /// Writes the new archive, whose objects have new numbers in the old order.
  ///
  /// - Parameter compression: how the segments of the new archive are compressed.
  /// - Returns: the bytes of the new archive.
  /// - Throws: `limitExceeded`.
  public func archive(compression: Compression = .none) throws(ArchiveError) -> [UInt8] {
    var writer = try RecoveryWriter(
      file, rows, metadata: metadata,
      compression: compression, keepsRoots: !losses.hasLostRoots, strings: strings)
    return try writer.archive()
  }

  /// Lists segments and losses.
  private func take(stock parts: borrowing RecoveredSegments, byteCount: Int) {
    let survivors = Set(rows.segments.map { file.segments[$0].byteOffset })
    for entry in search.entries {
      var isIntact = entry.isIntact
      if entry.info.kind == .rows { isIntact = isIntact && survivors.contains(entry.info.byteOffset) }
      if entry.info.kind == .classes { isIntact = isIntact && parts.classes.contains(entry.info) }
      segments.append(Segment(info: entry.info, isIntact: isIntact))
      guard !isIntact else { continue }
      switch entry.info.kind {
      case .rows:
        losses.objectCount? += entry.info.count - (entry.info.firstIndex == 0 ? 1 : 0)
      case .strings: losses.stringCount += entry.info.count
      case .metadata: losses.hasLostMetadata = true
      default: break
      }
      let range = min(entry.info.byteOffset, byteCount)..<min(entry.info.endOffset, byteCount)
      if !range.isEmpty { losses.byteRanges.append(range) }
    }
    if let cut = parts.cut, let info = search.cutRows {
      let numbered = info.numbered(first: cut.info.firstIndex, count: cut.info.count)
      segments.append(Segment(info: numbered, isIntact: false))
    }
    losses.stringCount += parts.cutStringCount
    losses.valueCount = rows.lostValueCount
    losses.hasLostRoots = !rows.hasRoots
    losses.referenceCount = rows.lostReferenceCount + parts.lostWeakCount
    if !search.hasIndex {
      losses.objectCount = nil
      if search.endOffset < byteCount { losses.byteRanges.append(search.endOffset..<byteCount) }
    }
  }
}
