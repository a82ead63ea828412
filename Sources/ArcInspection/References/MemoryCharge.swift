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
  /// Bytes per row of these references, the reversed references, and all that is computed from both: paths,
  /// dominators, components.
  private static let byteCountOfRow = 96
  /// Bytes per reference of these references and the reversed references.
  private static let byteCountOfReference = 10

  /// Verifies a file, and reads its references within the limits of the file.
  ///
  /// - Throws: what is wrong with the file; `limitExceeded` if there are more references than fit.
  /// - Complexity: O(values).
  init(verifying file: ArchiveFile) throws(ArchiveError) {
    try file.verify()
    var charge = MemoryCharge(file.limits)
    try charge.add(file.rowCount, of: Self.byteCountOfRow)
    try self.init(of: file) { count throws(ArchiveError) in
      try charge.add(count, of: Self.byteCountOfReference)
    }
  }
}
