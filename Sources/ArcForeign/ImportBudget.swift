import ArcFormat

/// Charges what an import makes of a file against limits, before it is made: a few bytes of a file may name
/// something long many times.
///
/// Spec: 07-limits.
final class ImportBudget {
  /// The limits that are charged.
  let limits: ArchiveLimits
  /// The number of rows, that of the named roots included.
  private var rowCount = 1
  /// The number of classes, that of the named roots included.
  private var classCount = 1
  /// The bytes that names of classes and columns take in the class table at least.
  private var classTableByteCount = 0
  /// The number of values: scalars, fields and elements of collections.
  private var elementCount = 0
  /// The bytes of strings and data, and of the keys of dictionaries.
  private var byteCount = 0

  /// A budget of which nothing is used.
  init(_ limits: ArchiveLimits) { self.limits = limits }

  /// Charges the bytes of a file.
  func checkFile(byteCount: Int) throws(ImportError) {
    try ImportError.check(byteCount, within: limits.fileBytes, "fileBytes")
  }

  /// Charges a row.
  func chargeRow(at byteOffset: Int? = nil) throws(ImportError) {
    try charge(1, to: &rowCount, within: limits.rows, "rows", byteOffset)
  }

  /// Charges a class and the bytes of its name.
  func chargeClass(nameByteCount: Int, at byteOffset: Int? = nil) throws(ImportError) {
    try charge(1, to: &classCount, within: limits.classes, "classes", byteOffset)
    try chargeName(byteCount: nameByteCount, at: byteOffset)
  }

  /// Charges what a name takes in the class table. Spec: 07-limits, rule A4.
  func chargeName(byteCount: Int, at byteOffset: Int? = nil) throws(ImportError) {
    let (cost, overflow) = byteCount.addingReportingOverflow(8)
    try charge(
      overflow ? .max : cost, to: &classTableByteCount, within: limits.classTableBytes, "classTableBytes",
      byteOffset)
  }

  /// Charges values.
  func charge(elements count: Int, at byteOffset: Int? = nil) throws(ImportError) {
    try charge(count, to: &elementCount, within: limits.elements, "elements", byteOffset)
  }

  /// Charges bytes that are copied.
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
