import ArcArchive
package import ArcForeign
import ArcFormat

/// What holds for any bytes at all when they are imported; also what the fuzzer looks for.
package enum ImportClaims {
  /// Little enough for any file that is tried to be done in a moment.
  private static let limits = ArchiveLimits(
    fileBytes: 1 << 24, rawBytes: 1 << 18, rows: 2000, classes: 1000, classTableBytes: 1 << 16,
    columnsPerClass: 1000, elements: 5000, nesting: 64)

  /// The first claim that does not hold: what is imported is an archive that verifies, anything else an error
  /// that says what was found.
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

  /// The same of a list that classes of a program shall read: references may lead to objects of other classes
  /// than these declare, which a reader finds.
  private static func guidedViolation(by bytes: [UInt8]) throws -> String? {
    guard let guide, bytes.first != UInt8(ascii: "{"), bytes.first != UInt8(ascii: "#") else { return nil }
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

  /// What a program declares, as far as the samples have such classes.
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

  /// Imports what the first bytes say that it is.
  private static func imported(_ bytes: [UInt8]) throws -> (archive: [UInt8], report: ImportReport) {
    let options = TableImport.Options(className: "Row")
    switch bytes.first {
    case UInt8(ascii: "{"): return try TableImport.archive(ofJSONLines: bytes, options, limits: limits)
    case UInt8(ascii: "#"):
      return try TableImport.archive(ofCSV: Array(bytes.dropFirst()), options, limits: limits)
    default:
      var job = PropertyListImport(limits: limits)
      try job.add(bytes)
      return try job.finish()
    }
  }
}
