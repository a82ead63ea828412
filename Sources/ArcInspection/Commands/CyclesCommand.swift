import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump cycles FILE`: prints cycles of strong references.
///
/// JSON: `{"cycles":[{"objects":3,"classes":[{"class":"Person","objects":3}],"example":1,"length":2,
/// "path":"#1.friends[0].friends[0]","reachedBy":"root"}],"count":1}`. `path` begins and ends at the object
/// `example`.
struct CyclesCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "cycles",
    abstract: "Print cycles of strong references.",
    discussion: """
      cycles prints each set of objects that reach each other by strong references, the largest set first. \
      For each set, cycles prints a shortest cycle through one of the objects. A program that releases these \
      objects without breaking the cycles leaks the objects. cycles does not follow weak and unowned \
      references.

      The exit code is 0 whether or not there are cycles.
      """)

  @OptionGroup var options: InspectionOptions

  @Option(
    parsing: .unconditional,
    help: "The maximum number of cycles to print. (default: 100 on a terminal, otherwise all)")
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
  }

  func fill(_ report: inout Report, from file: ArchiveFile) throws {
    let cycles = try ReferenceCycles(ObjectCatalog(file))
    let limit = limit ?? (report.reader == .terminal ? 100 : .max)
    report.line(
      cycles.count == 0
        ? "no cycles of strong references"
        : "\(counted(cycles.count, "set")) of objects in strong reference cycles, "
          + counted(cycles.objectCount, "object"))
    report.members(["format": "arc"])
    report.list("cycles", each: { try cycles.forEach(atMost: limit, $0) }, fill)
    report.more(cycles.count, beyond: limit, level: 1)
    report.members(["count": cycles.count])
  }

  private func fill(_ cycle: ReferenceCycles.Cycle, _ entry: inout Report) {
    let classes =
      cycle.classes.prefix(4).map { "\(grouped($0.count)) \(printableName($0.name))" }
      .joined(separator: ", ") + (cycle.classes.count > 4 ? ", …" : "")
    entry.line(Words(counted(cycle.objectCount, "object"), .heading) + ": " + classes, level: 1)
    entry.members([
      "objects": cycle.objectCount,
      "classes": ReportValue.records(cycle.classes) { ["class": $0.name, "objects": $0.count] },
      "example": cycle.example, "length": cycle.length,
    ])
    let isLong = cycle.length > ObjectPaths.maximumObjectCount
    let path = Words(cycle.path.text + (isLong ? " … \(grouped(cycle.length)) references" : ""))
    let reachedBy = Words(cycle.reachedBy?.text ?? "none: no root retains them")
    entry.fields(
      level: 2,
      [
        Field("path", "cycle", ReportValue.words(path, as: cycle.path)),
        Field("reachedBy", "path", ReportValue.words(reachedBy, as: cycle.reachedBy)),
      ])
  }
}
