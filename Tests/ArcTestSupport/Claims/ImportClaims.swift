import ArcArchive
package import ArcForeign
import ArcFormat

/// Claims that must hold for any bytes that are imported. A fuzzer checks them, too.
package enum ImportClaims {
  /// Limits that are low enough to import any file in a moment.
  private static let limits = ArchiveLimits(
    fileBytes: 1 << 24, rawBytes: 1 << 18, rows: 2000, classes: 1000, classTableBytes: 1 << 16,
    columnsPerClass: 1000, elements: 5000, nesting: 64)

  /// Returns the first claim that does not hold. Nil if all hold. Each import must return an archive that can
  /// be verified, or throw an error that describes what was found.
  package static func violation(by bytes: [UInt8]) -> String? {
    do {
      let (archive, report) = try imported(bytes)
      do {
        let file = try ArchiveFile(verifying: archive)
        let rowCount = report.classes.reduce(1) { $0 + $1.rowCount }
        if file.rowCount != rowCount { return "\(file.rowCount) rows, reported \(rowCount)" }
      } catch {
        return "an archive that does not verify: \(error)"
      }
      return try guidedViolation(by: bytes)
    } catch let error as ImportError {
      return error.found.isEmpty ? "an error that says nothing" : nil
    } catch {
      return "an error that is no ImportError: \(error)"
    }
  }

  /// Checks the import of a property list with a guide of a program's classes. References may refer to
  /// objects of other classes than the declared classes, because only a reader finds this.
  private static func guidedViolation(by bytes: [UInt8]) throws -> String? {
    guard let guide, !"{[#".utf8.contains(bytes.first ?? 0) else { return nil }
    var job = PropertyListImport(limits: limits, guide: guide)
    try job.add(bytes)
    let (archive, _) = try job.finish()
    do {
      try ArchiveFile(bytes: archive).verify()
    } catch {
      return "for a program, an archive that does not verify: \(error)"
    }
    return nil
  }

  /// The declarations of a program for some classes of the samples.
  package static let guide: ImportGuide? = {
    let schema = """
      Arc schema 1

      root root: Any | @

      class Bag
        array: List | default | $[@]
        dictionary: Dictionary | default | $<@"NSString":@>
        friends: List | default | $[@"Bag"]
        list: List | default | $[$?d]
        map: Dictionary | default | $<@"NSString":$<@"NSString":@"NSString">>
        matrix: Lists | default | $[$[q]]
        nested: Lists | default | $[$[$[@]]]
        next: Bag | default | @"Bag"
        objects: List | default | $[@"Bag"]
        set: Set | default | $<@"NSString">
        v: Double | default | d
        value: Double | default | d
      """
    let names = [
      "A", "Collections", "Holder", "Link", "MyApp.Person", "Node", "Pair", "Scalars", "Sparse", "Values",
      "Varied",
    ]
    let classes = names.map { "\n\nclass \($0): Bag" }.joined()
    return (try? SchemaSnapshot(parsing: schema + classes + "\n")).map { ImportGuide($0) }
  }()

  /// Imports bytes in the format that the first bytes indicate.
  private static func imported(_ bytes: [UInt8]) throws -> (archive: [UInt8], report: ImportReport) {
    func table(_ bytes: [UInt8], _ format: TableFormat) throws -> (archive: [UInt8], report: ImportReport) {
      try TableImport.archive(of: TableSource(bytes, format, className: "Row"), limits: limits)
    }
    switch bytes.first {
    case UInt8(ascii: "{"): return try table(bytes, .jsonLines)
    case UInt8(ascii: "["): return try table(bytes, .json)
    case UInt8(ascii: "#"): return try table(Array(bytes.dropFirst()), .csv)
    default:
      var job = PropertyListImport(limits: limits)
      try job.add(bytes)
      return try job.finish()
    }
  }
}
