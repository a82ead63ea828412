public import ArcFormat

/// A recovery of a damaged archive: its intact segments, as a new archive.
///
///     let recovery = try ArchiveRecovery(bytes: damaged)
///     print(recovery.segments.filter { !$0.isIntact }, recovery.losses.byteRanges)
///     try Data(recovery.archive()).write(to: url)
///
/// Reading never recovers anything: a reader rejects a damaged file as a whole. The new archive differs from
/// the old one as follows:
///
/// - A damaged segment is lost as a whole. But if the file ends within the rows of a segment, the properties
///   that the segment stores before the end are recovered. Lost properties of an object are nil or absent.
/// - References to lost objects become nil. In collections, the element or entry is omitted.
/// - Strings of a lost segment become `⟨lost string #12⟩`.
/// - The named roots are recovered if row 0 is intact. An additional root, `recovered`, reaches the objects
///   that no named root reaches.
/// - Objects have new numbers.
/// - Segments of kinds that this version of Arc does not know are copied if their kind permits a copy. Others
///   are lost.
/// - If the file ends before its first rows, no object can be recovered. A root `recoveredStrings` then
///   contains the recovered strings as an array.
public final class ArchiveRecovery {
  /// A segment of the damaged file, found in the file or only listed in its index.
  public struct Segment: Hashable, Sendable {
    /// The kind and the location of the segment.
    public let info: SegmentInfo
    /// Whether the new archive has all contents of the segment.
    ///
    /// False if the file ends within the segment, although some rows of the segment may be recovered.
    public let isIntact: Bool
  }

  /// The contents of the damaged file that could not be recovered.
  public struct Losses: Hashable, Sendable {
    /// The number of lost objects. Nil if the number is unknown, because the index of the file is lost.
    public fileprivate(set) var objectCount: Int? = 0
    /// The number of references to lost objects, plus the number of lost weak references.
    public fileprivate(set) var referenceCount = 0
    /// The number of lost property values of recovered objects.
    public fileprivate(set) var valueCount = 0
    /// The number of lost strings of the string table.
    public fileprivate(set) var stringCount = 0
    /// Whether the named roots are lost.
    public fileprivate(set) var hasLostRoots = false
    /// Whether the metadata of the archive is lost.
    public fileprivate(set) var hasLostMetadata = false
    /// The number of lost segments whose kind this version of Arc does not know. A damaged segment is lost,
    /// and also a segment whose kind does not permit a copy to a file with other rows.
    public fileprivate(set) var unknownSegmentCount = 0
    /// The byte ranges that could not be used, as offsets in the damaged file.
    public fileprivate(set) var byteRanges: [Range<Int>] = []
    /// Whether nothing is lost.
    public var isEmpty: Bool {
      objectCount == 0 && referenceCount == 0 && valueCount == 0 && stringCount == 0 && byteRanges.isEmpty
        && !hasLostRoots && !hasLostMetadata && unknownSegmentCount == 0
    }
  }

  /// The name of the root for the recovered objects that no other root reaches.
  public static let recoveredRootName = "recovered"
  /// The name of the root that contains the recovered ``strings``.
  public static let recoveredStringsRootName = "recoveredStrings"

  /// The segments of the damaged file, in file order.
  public private(set) var segments: [Segment] = []
  /// The contents of the damaged file that could not be recovered.
  public private(set) var losses = Losses()
  /// The number of recovered objects.
  public var objectCount: Int { max(0, rows.count - (losses.hasLostRoots ? 0 : 1)) }

  /// The recovered strings of a file that ends before its first rows. Empty for any other file.
  ///
  /// Without rows, the objects that contain the strings are unknown. So a root of the new archive contains
  /// the strings as an array.
  public private(set) var strings: [String] = []

  let file: ArchiveFile
  private let search: SegmentSearch
  let rows: RecoveredRows
  private let metadata: [(key: String, value: String)]
  private var copied: [CopiedSegment] = []

  /// Searches a damaged file for intact segments.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the damaged file.
  ///   - limits: the maximum costs of reading.
  /// - Throws: `notAnArchive` if the bytes are not an archive, `damagedSegment` if the class table is lost,
  ///   because no object can then be read, `unsupportedVersion` or `unsupportedFeature` if this version of
  ///   Arc cannot read the format, `limitExceeded` if the file exceeds a limit.
  public init(bytes: some Collection<UInt8>, limits: ArchiveLimits = .default) throws(ArchiveError) {
    try ArchiveLimits.check(bytes.count, within: limits.fileBytes, "fileBytes")
    let bytes = Array(bytes)
    let store = ByteStore(copying: bytes)
    search = try SegmentSearch(store, limits: limits)
    let kinds = Set(search.entries.filter(\.isIntact).compactMap(\.info.kind))
    guard !kinds.isEmpty || bytes.starts(with: ArchiveHeader.signature) else {
      throw ArchiveError(
        .notAnArchive, found: "\(plural(bytes.count, "byte")) without a segment of an archive",
        expected: "an .arc file",
        byteOffset: 0)
    }
    var parts = RecoveredSegments(search, limits: limits)
    guard !parts.classes.isEmpty else {
      throw ArchiveError(
        .damagedSegment, found: "no intact class table",
        expected: "an intact CLSS segment, without which no object can be read",
        remedy: "restore the file from a backup, because no object can be recovered",
        byteOffset: ArchiveHeader.byteCount)
    }
    let rest = try parts.file(bytes)
    let file = try ArchiveFile(
      recovered: rest.segments, writer: search.writer, store: rest.store, limits: limits)
    self.file = file
    rows = try RecoveredRows(file, parts.rowsPositions, cut: parts.truncated, limits: limits)
    // Errors are ignored, because a recovery reads all parts that can be read.
    metadata = (parts.metadata.flatMap { try? file.metadata(at: $0) } ?? [])
      .filter { !MetadataSegment.isOfRows($0.key) }
    if rows.count == 0, !search.hasIndex, let table = try? file.strings() {
      strings = (0..<UInt64(table.count)).compactMap { try? table.string($0) }
    }
    take(stock: parts, byteCount: bytes.count)
    var copiedByteCount = 0
    for info in segments.lazy.filter(\.isIntact).map(\.info) where info.kind == nil && info.code.isSafeToCopy
    {
      copiedByteCount += info.rawByteCount
      try ArchiveLimits.check(copiedByteCount, within: limits.rawBytes, "rawBytes")
      copied.append(try CopiedSegment(info, in: file.store))
    }
  }

  /// Writes the new archive. Returns its bytes.
  ///
  ///     try Data(recovery.archive(compression: .zlib)).write(to: url)
  ///
  /// The objects have new numbers, in the same order as in the damaged file.
  ///
  /// - Parameter compression: the compression of segments.
  /// - Returns: the bytes of the new archive.
  /// - Throws: `limitExceeded` if the archive is too large.
  public func archive(compression: Compression = .none) throws(ArchiveError) -> [UInt8] {
    var writer = try RecoveryWriter(
      file, rows, metadata: metadata,
      compression: compression, keepsRoots: !losses.hasLostRoots, strings: strings, copied: copied)
    return try writer.archive()
  }

  /// Records the segments and the losses of the damaged file.
  private func take(stock parts: borrowing RecoveredSegments, byteCount: Int) {
    let survivors = Set(rows.segments.map { file.segments[$0].byteOffset })
    for entry in search.entries {
      var isIntact = entry.isIntact
      if entry.info.kind == .rows { isIntact = isIntact && survivors.contains(entry.info.byteOffset) }
      if entry.info.kind == .classes { isIntact = isIntact && parts.classes.contains(entry.info) }
      let isUnknown = entry.info.kind == nil && !entry.info.code.describesOtherSegments
      let isDropped = isUnknown && !entry.info.code.isSafeToCopy
      if isUnknown, isDropped || !isIntact { losses.unknownSegmentCount += 1 }
      segments.append(Segment(info: entry.info, isIntact: isIntact && !isDropped))
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
    if let cut = parts.truncated, let info = search.truncatedRows {
      let numbered = info.numbered(first: cut.info.firstIndex, count: cut.info.count)
      segments.append(Segment(info: numbered, isIntact: false))
    }
    losses.stringCount += parts.lostStringCount
    losses.valueCount = rows.lostValueCount
    losses.hasLostRoots = !rows.hasRoots
    losses.referenceCount = rows.lostReferenceCount + parts.lostWeakCount
    if !search.hasIndex {
      losses.objectCount = nil
      if search.endOffset < byteCount { losses.byteRanges.append(search.endOffset..<byteCount) }
    }
  }
}
