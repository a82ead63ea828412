import ArcFormat
import ArgumentParser

/// `arcdump find FILE EXPRESSION`: objects by class and by what they hold.
///
/// JSON: `{"objects":[{"id":1,"class":"Person","path":"root"}],"count":1}`; with `--group-by`
/// `{"groups":[{"value":…,"count":…,"sum":…}],"count":…}`. `path` is missing without paths.
struct FindCommand: InspectionCommand {
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

  func read(with console: Console) throws -> AskedFile { try AskedFile(openFile(with: console)) }

  func status(of input: AskedFile) -> ExitStatus { input.count > 0 ? .ok : .incomplete }

  private var isTallied: Bool { groupBy != nil || sum != nil }

  // MARK: Text

  func write(_ input: AskedFile, to page: Page) throws {
    let limit = limit ?? (page.isOnTerminal ? 1000 : .max)
    if isTallied { return try write(tally(of: input), input, to: page, limit) }
    let ids = try objects(in: input)
    if count { return try page.line("\(ids.count)") }
    try forEachPath(to: Array(ids.prefix(limit)), input) { id, path in
      let name = printableName(try input.catalog.className(of: id))
      try page.line(page.style(.type, name) + page.style(.mark, " \(id)") + (path.map { "  \($0)" } ?? ""))
    }
    if ids.count > limit {
      try page.line(page.style(.mark, "… \(grouped(ids.count - limit)) more (--limit \(limit))"))
    }
  }

  private func write(_ tally: Tally, _ input: AskedFile, to page: Page, _ limit: Int) throws {
    guard groupBy != nil else { return try page.line(tally.all.sumText ?? "0") }
    let text = ValueText()
    let header = ["value", "objects"] + (sum == nil ? [] : ["sum"])
    var rows = [header.enumerated().map { Page.Cell($1, .mark, isNumber: $0 > 0) }]
    for group in tally.groups.prefix(limit) {
      let value =
        if case .reference(let id?) = group.value {
          "\(printableName(try input.catalog.className(of: id))) \(id)"
        } else {
          text.line(group.value) ?? "…"
        }
      rows.append(
        [Page.Cell(value), .number(group.sums.count)]
          + (sum == nil ? [] : [Page.Cell(group.sums.sumText ?? "0", isNumber: true)]))
    }
    try page.table(rows, level: 0)
    if tally.groups.count > limit {
      try page.line(page.style(.mark, "… \(grouped(tally.groups.count - limit)) more (--limit \(limit))"))
    }
  }

  // MARK: JSON

  func write(_ input: AskedFile, to json: JSONOutput) throws {
    try json.member("format", "arc")
    if isTallied {
      let tally = try tally(of: input)
      if groupBy != nil { try write(tally.groups, to: json) }
      try json.member("count", tally.all.count)
      if sum != nil { try json.member("sum") { try json.value(tally.all.sum ?? .integer(0)) } }
      return
    }
    let ids = try objects(in: input)
    if !count {
      try json.member("objects") {
        try json.array(isPretty: true) {
          try write(ids, input, to: json)
        }
      }
    }
    try json.member("count", ids.count)
  }

  /// Each object found, or each group, is a line; a number alone is one too.
  func writeLines(_ input: AskedFile, to json: JSONOutput) throws {
    if groupBy != nil { return try writeGroups(tally(of: input).groups, to: json) }
    if count || isTallied { return try json.object { try write(input, to: json) } }
    try write(objects(in: input), input, to: json)
  }

  private func write(_ ids: [ObjectID], _ input: AskedFile, to json: JSONOutput) throws {
    try forEachPath(to: Array(ids.prefix(limit ?? .max)), input) { id, path in
      try json.checkLimit()
      try json.object {
        try json.member("id", Int(id.rawValue))
        try json.member("class", try input.catalog.className(of: id))
        if let path { try json.member("path", path) }
      }
    }
  }

  private func write(_ groups: [Tally.Group], to json: JSONOutput) throws {
    try json.member("groups") {
      try json.array(isPretty: true) {
        try writeGroups(groups, to: json)
      }
    }
  }

  private func writeGroups(_ groups: [Tally.Group], to json: JSONOutput) throws {
    for group in groups.prefix(limit ?? .max) {
      try json.object {
        try json.member("value") { try json.value(group.value) }
        try json.member("count", group.sums.count)
        if sum != nil { try json.member("sum") { try json.value(group.sums.sum ?? .integer(0)) } }
      }
    }
  }

  // MARK: Answers

  private func objects(in input: AskedFile) throws -> [ObjectID] {
    var ids: [ObjectID] = []
    try QueryRunner(input.catalog).forEachObject(of: QueryParser.query(expression)) { id, _ in ids.append(id)
    }
    input.count = ids.count
    return ids.sorted()
  }

  private func tally(of input: AskedFile) throws -> Tally {
    var tally = try Tally(groupBy: groupBy, sum: sum)
    let evaluator = ConditionEvaluator(input.catalog)
    try QueryRunner(input.catalog).forEachObject(of: QueryParser.query(expression), results: tally.paths) {
      try tally.add($0, $1, evaluator)
    }
    input.count = tally.all.count
    return tally
  }

  private func forEachPath(
    to ids: [ObjectID], _ input: AskedFile, _ body: (ObjectID, String?) throws -> Void
  ) throws {
    guard paths, !ids.isEmpty else {
      for id in ids { try body(id, nil) }
      return
    }
    let shortest = ShortestPaths(in: try RowReferences(verifying: input.catalog.file))
    try ObjectPaths(input.catalog, shortest).forEachPath(to: ids) { try body($0, $1.text) }
  }
}
