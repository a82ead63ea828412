import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump find FILE EXPRESSION`: finds objects by their class and values.
///
/// JSON: `{"objects":[{"id":1,"class":"Person","path":"root"}],"count":1}`; with `--group-by`
/// `{"groups":[{"value":…,"count":…,"sum":…}],"count":…}`. With `--no-paths`, `path` is missing.
struct FindCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find objects by class and values; print their paths.",
    discussion: """
      EXPRESSION is a condition or a path. find tests a condition on all objects that have the properties \
      which the condition names:
        arcdump find FILE 'name == "Ada"'
        arcdump find FILE 'Person[age > 30 and friends.name == "Bob"]'
        arcdump find FILE 'Person' --group-by city --sum age


      """ + QueryHelp.conditions + "\n\n" + QueryHelp.paths + "\n\n" + """
        find reads only the columns that the condition names. With --trust, in a file with a chunk \
        directory, it does not check the other columns, and it skips segments whose range of values \
        excludes a match. The printed path is a shortest path of strong references. It begins with the \
        number of an object if it is long, or if no root retains the object.

        Exit codes:
          0   an object was found
          1   no object was found
          64  the expression is malformed
        Other codes: see 'arcdump help'.
        """)

  @OptionGroup var options: InspectionOptions

  @OptionGroup var lines: LineOptions

  @Argument(help: "A condition, or a path to objects.")
  var expression: String

  @Flag(help: "Print only the number of objects.")
  var count = false

  @Option(
    help: ArgumentHelp("The property or path by whose values the objects are counted.", valueName: "path"))
  var groupBy: String?

  @Option(help: ArgumentHelp("The property or path whose numbers are added up.", valueName: "path"))
  var sum: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of objects or groups to print. (default: 1,000 on a terminal, otherwise all)"))
  var limit: Int?

  @Flag(inversion: .prefixedNo, help: "Print a path from a root to each object; this reads the whole file.")
  var paths = true

  var format: OutputFormat { lines.format(with: options) }

  func validate() throws {
    try lines.validate(with: options)
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if count, groupBy != nil || sum != nil {
      throw ValidationError("--count cannot be combined with --group-by and --sum, which also count objects.")
    }
    try asValidation { () throws(QueryError) in
      _ = try QueryParser.query(expression)
      _ = try Tally(groupBy: groupBy, sum: sum)
    }
  }

  func read(with console: Console) throws -> QueriedFile { try QueriedFile(openFile(with: console)) }

  func status(of input: QueriedFile) -> ExitStatus { input.count > 0 ? .ok : .incomplete }

  private var isTallied: Bool { groupBy != nil || sum != nil }

  func fill(_ report: inout Report, from input: QueriedFile) throws {
    report.members(["format": "arc"])
    let limit = limit ?? (report.reader == .terminal ? 1000 : .max)
    if isTallied { return try fill(&report, with: tally(of: input), input, limit) }
    let ids = try objects(in: input)
    if count {
      report.line("\(ids.count)")
    } else {
      func add(_ object: ObjectWithPath, to entry: inout Report) throws {
        let name = try input.catalog.className(of: object.id)
        let path = object.path.map { "  \($0.text)" } ?? ""
        entry.line(Words(printableName(name), .type) + Words(" \(object.id)", .mark) + path)
        entry.members(["id": object.id, "class": name, "path": ReportValue.ifPresent(object.path)])
      }
      report.list("objects", each: { try forEachPath(to: Array(ids.prefix(limit)), input, $0) }, add)
      report.more(ids.count, beyond: limit)
    }
    report.members(["count": ids.count])
  }

  private func fill(_ report: inout Report, with tally: Tally, _ input: QueriedFile, _ limit: Int) {
    if groupBy != nil {
      let text = ValueText()
      var columns: [Column<Tally.Group>] = [
        Column("value", "value") { group in
          var words = text.line(group.value) ?? "…"
          if case .reference(let id?) = group.value {
            words = "\(printableName(try input.catalog.className(of: id))) \(id)"
          }
          return ReportValue.words(Words(words), as: group.value)
        },
        Column("count", "objects") { $0.sums.count },
      ]
      if sum != nil { columns.append(Column("sum", "sum") { $0.sums.reportedSum }) }
      report.table("groups", tally.groups.prefix(limit), level: 0, columns)
      report.more(tally.groups.count, beyond: limit)
    } else {
      report.line(tally.all.sumText ?? "0")
    }
    report.members(["count": tally.all.count])
    if sum != nil { report.members(["sum": tally.all.reportedSum]) }
  }

  /// Writes a line for each object or group, or a line with the count or sum.
  func writeLines(_ input: QueriedFile, to json: JSONOutput) throws {
    if count || isTallied && groupBy == nil { return try json.object { try write(input, to: json) } }
    try json.writeEntries(of: Report(for: .program) { try fill(&$0, from: input) })
  }

  // MARK: Answers

  private func objects(in input: QueriedFile) throws -> [ObjectID] {
    var ids: [ObjectID] = []
    try QueryRunner(input.catalog).forEachObject(of: QueryParser.query(expression)) { id, _ in ids.append(id)
    }
    input.count = ids.count
    return ids.sorted()
  }

  private func tally(of input: QueriedFile) throws -> Tally {
    var tally = try Tally(groupBy: groupBy, sum: sum)
    let evaluator = ConditionEvaluator(input.catalog)
    try QueryRunner(input.catalog).forEachObject(of: QueryParser.query(expression), results: tally.paths) {
      try tally.add($0, $1, evaluator)
    }
    input.count = tally.all.count
    return tally
  }

  private typealias ObjectWithPath = (id: ObjectID, path: PathText?)

  /// Calls `body` with each object, and with a path to it unless `--no-paths` is set.
  private func forEachPath(
    to ids: [ObjectID], _ input: QueriedFile, _ body: (ObjectWithPath) throws -> Void
  ) throws {
    guard paths, !ids.isEmpty else {
      for id in ids { try body((id, nil)) }
      return
    }
    let shortest = ShortestPaths(in: try RowReferences(verifying: input.catalog.file))
    try ObjectPaths(input.catalog, shortest).forEachPath(to: ids) { try body(($0, $1)) }
  }
}

extension Tally.Sums {
  /// The sum. 0 if no number was added.
  fileprivate var reportedSum: ReportValue { .figure(sumText ?? "0", as: sum ?? ArchiveValue.integer(0)) }
}
