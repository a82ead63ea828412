import ArcArchive
import ArcFormat

/// The memory that a command allocates for a file, counted against the limits of the file.
struct MemoryCharge {
  private let limit: Int
  private(set) var byteCount = 0

  init(_ limits: ArchiveLimits) { limit = limits.rawBytes }

  /// Adds the bytes of `count` values. Throws `limitExceeded` if the sum exceeds the limit. Spec: 07-limits,
  /// rule A2.
  mutating func add(_ count: Int, of stride: Int) throws(ArchiveError) {
    let bytes = count.multipliedReportingOverflow(by: stride)
    let sum = byteCount.addingReportingOverflow(bytes.partialValue)
    byteCount = bytes.overflow || sum.overflow ? .max : sum.partialValue
    try ArchiveLimits.check(byteCount, within: limit, "rawBytes")
  }
}

extension RowReferences {
  /// Verifies a file, and reads its references. The limits of the file apply to the memory of these
  /// references and of the reversed references. The limits also apply to results that commands compute from
  /// references, such as paths and dominators.
  ///
  /// - Throws: An `ArchiveError` if the file is damaged, or `limitExceeded` if the references need too much
  ///   memory.
  /// - Complexity: O(values).
  init(verifying file: ArchiveFile) throws(ArchiveError) {
    try file.verify()
    try self.init(of: file, bytesPerRow: 96, bytesPerReference: 10)
  }
}
