import ArcArchive
import ArcFormat

/// Memory that a graph or a count in a command takes, counted against the limits of the file.
struct MemoryCharge {
  private let limit: Int
  private(set) var byteCount = 0

  init(_ limits: ArchiveLimits) { limit = limits.rawBytes }

  /// Throws `limitExceeded` if so many more bytes are too many. Spec: 07-limits, rule A2.
  mutating func add(_ count: Int, of stride: Int) throws(ArchiveError) {
    let bytes = count.multipliedReportingOverflow(by: stride)
    let sum = byteCount.addingReportingOverflow(bytes.partialValue)
    byteCount = bytes.overflow || sum.overflow ? .max : sum.partialValue
    try ArchiveLimits.check(byteCount, within: limit, "rawBytes")
  }
}

extension RowReferences {
  /// Verifies a file, and reads its references within the limits of the file: these references, the reversed
  /// references, and what commands compute from both, such as paths and dominators.
  ///
  /// - Throws: what is wrong with the file; `limitExceeded` if there are more references than fit.
  /// - Complexity: O(values).
  init(verifying file: ArchiveFile) throws(ArchiveError) {
    try file.verify()
    try self.init(of: file, bytesPerRow: 96, bytesPerReference: 10)
  }
}
