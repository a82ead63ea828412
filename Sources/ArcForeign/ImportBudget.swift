import ArcFormat

/// Charges the rows, classes, names and bytes of an import against the limits, before the import creates
/// them.
///
/// This is necessary because a small file can use one long string many times.
///
/// Spec: 07-limits.
final class ImportBudget {
  let limits: ArchiveLimits
  /// The number of rows, including the row of the named roots.
  private var rowCount = 1
  /// The number of classes, including the class of the named roots.
  private var classCount = 1
  /// The minimum size of the names of classes and columns in the class table, in bytes.
  private var classTableByteCount = 0
  /// The number of values: scalars, fields and elements of collections.
  private var elementCount = 0
  /// The number of bytes of strings, data and dictionary keys.
  private var byteCount = 0

  init(_ limits: ArchiveLimits) { self.limits = limits }

  func checkFile(byteCount: Int) throws(ImportError) {
    try ImportError.check(byteCount, within: limits.fileBytes, "fileBytes")
  }

  func chargeRow(at byteOffset: Int? = nil) throws(ImportError) {
    try charge(1, to: &rowCount, within: limits.rows, "rows", byteOffset)
  }

  /// Charges a class and the bytes of its name.
  func chargeClass(nameByteCount: Int, at byteOffset: Int? = nil) throws(ImportError) {
    try charge(1, to: &classCount, within: limits.classes, "classes", byteOffset)
    try chargeName(byteCount: nameByteCount, at: byteOffset)
  }

  /// Charges the size of a name in the class table. Spec: 07-limits, rule A4.
  func chargeName(byteCount: Int, at byteOffset: Int? = nil) throws(ImportError) {
    let (cost, overflow) = byteCount.addingReportingOverflow(8)
    try charge(
      overflow ? .max : cost, to: &classTableByteCount, within: limits.classTableBytes, "classTableBytes",
      byteOffset)
  }

  func charge(elements count: Int, at byteOffset: Int? = nil) throws(ImportError) {
    try charge(count, to: &elementCount, within: limits.elements, "elements", byteOffset)
  }

  /// Charges bytes that the import copies.
  func charge(bytes count: Int, at byteOffset: Int? = nil) throws(ImportError) {
    try charge(count, to: &byteCount, within: limits.rawBytes, "rawBytes", byteOffset)
  }

  private func charge(
    _ cost: Int, to count: inout Int, within limit: Int, _ name: String, _ byteOffset: Int?
  ) throws(ImportError) {
    let (sum, overflow) = count.addingReportingOverflow(cost)
    count = overflow ? .max : sum
    try ImportError.check(count, within: limit, name, byteOffset: byteOffset)
  }
}
