import ArcFormat
import ArcRuntime
import ArgumentParser

/// `arcdump diff A B`: what changed from one archive to another.
///
/// JSON: `{"schema":[…],"removed":[{"id":…,"class":…,"path":…}],"added":[…],"changed":[{"first":1,"second":1,
/// "class":…,"path":…,"key":…,"old":…,"new":…}],"moved":[{"first":…,"second":…,"class":…,"from":…,"to":…}]}`;
/// `old` or `new` is missing where an object does not have the property.
struct DiffCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare the schemas and the graphs of two archives.",
    discussion: """
      diff prints one line per difference:
        - Tree #3  root.beds[0].plants[1]             removed: only in A
        + Plant #5  root.beds[0].plants[1]            added: only in B
        ~ root.beds[0].plants[0].height: 0.0 → 0.3    changed
        > Bed #2  root.beds[0] → root.beds[1]         moved

      diff pairs each object of A with an object of B: first by the properties that --key names, then by \
      equal paths from the roots, then by equal content that occurs once. In lists, diff pairs equal elements \
      first, then elements of the same class in order. 'moved' means that in B, a shortest path to the object \
      ends at a reference of another object than in A. A line that begins with 'schema' reports a problem or \
      a conversion that occurs when a program with the classes of B reads A.

      Exit codes:
        0   no difference
        1   at least one difference
      Other codes: see 'arcdump help'.
      """)

  @OptionGroup var options: InspectionOptions

  @Argument(help: "The second archive, B in the output; FILE is A.")
  var other: String

  @Option(
    help: ArgumentHelp(
      "A property whose values identify objects: 'id', 'Person.id'; repeatable.", valueName: "property"
    ))
  var key: [String] = []

  @Flag(help: "Compare only the schemas; read no objects.")
  var schema = false

  @Flag(help: "Print only the number of changed objects per class.")
  var stat = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of changes of each kind to print. (default: 1,000 on a terminal, otherwise all)"))
  var limit: Int?

  /// Two files and what is different.
  final class Input {
    let first: ObjectCatalog
    let second: ObjectCatalog
    let schema: [SchemaDifference]
    /// Nil if nobody asked for it.
    let changes: GraphChanges?
    let ways: (first: ObjectPaths, second: ObjectPaths)?

    init(_ first: ArchiveFile, _ second: ArchiveFile, keys: [String], isSchemaOnly: Bool) throws {
      (self.first, self.second) = (ObjectCatalog(first), ObjectCatalog(second))
      schema = try first.differences(readBy: second.schemaSnapshot)
      guard !isSchemaOnly else {
        (changes, ways) = (nil, nil)
        return
      }
      let matching = try ObjectMatching(self.first, self.second, keys: keys.map(ObjectMatching.Key.init))
      let paths = try (
        ShortestPaths(in: RowReferences(verifying: first)),
        ShortestPaths(in: RowReferences(verifying: second))
      )
      changes = try GraphChanges(matching, paths.0, paths.1)
      ways = (ObjectPaths(self.first, paths.0), ObjectPaths(self.second, paths.1))
    }
  }

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if options.file == "-", other == "-" {
      throw ValidationError("Only one of the two files can be standard input.")
    }
    if schema, stat { throw ValidationError("--stat counts objects and cannot be combined with --schema.") }
  }

  func read(with console: Console) throws -> Input {
    let first = try openFile(with: console)
    let second: ArchiveFile
    do {
      second =
        try console.map(other, options.limits)
        ?? ArchiveFile(bytes: console.read(other, options.limits.fileBytes), limits: options.limits)
    } catch {
      throw OtherFileFailure(path: other, error: error)
    }
    return try Input(first, second, keys: key, isSchemaOnly: schema)
  }

  func status(of input: Input) -> ExitStatus {
    input.schema.isEmpty && input.changes?.isEmpty ?? true ? .ok : .incomplete
  }

  // MARK: Text

  func write(_ input: Input, to page: Page) throws {
    if stat { return try writeCounts(input, to: page) }
    for difference in input.schema { try page.line("schema  " + printable("\(difference)")) }
    guard let changes = input.changes, let ways = input.ways else { return }
    let limit = limit ?? (page.isOnTerminal ? 1000 : .max)
    func more(_ count: Int, _ what: String) throws {
      guard count > limit else { return }
      try page.line(page.style(.mark, "… \(grouped(count - limit)) more \(what) (--limit \(limit))"))
    }
    try ways.first.forEachPath(to: Array(changes.removed.prefix(limit))) { id, path in
      try page.line("- \(printableName(try input.first.className(of: id))) \(id)  \(path.text)")
    }
    try more(changes.removed.count, "removed")
    try ways.second.forEachPath(to: Array(changes.added.prefix(limit))) { id, path in
      try page.line("+ \(printableName(try input.second.className(of: id))) \(id)  \(path.text)")
    }
    try more(changes.added.count, "added")
    for (value, path) in try paths(of: changes.values.prefix(limit), ways.first) {
      let (old, new) = (try words(value.old, input.first), try words(value.new, input.second))
      try page.line("~ \(path): \(old) → \(new)")
    }
    try more(changes.values.count, "changed")
    for (from, to) in try moves(changes.moved.prefix(limit), ways) {
      try page.line("> \(from.name) \(from.id)  \(from.path) → \(to.path)")
    }
    try more(changes.moved.count, "moved")
  }

  private func writeCounts(_ input: Input, to page: Page) throws {
    guard let changes = input.changes else { return }
    var counts: [ExactName: [Int]] = [:]
    func add(_ name: String, _ column: Int) { counts[ExactName(name), default: [0, 0, 0, 0]][column] += 1 }
    for id in changes.removed { add(try input.first.className(of: id), 0) }
    for id in changes.added { add(try input.second.className(of: id), 1) }
    var last: ObjectID?
    for value in changes.values where value.first != last {
      last = value.first
      add(value.className, 2)
    }
    for pair in changes.moved { add(try input.first.className(of: pair.first), 3) }
    let titles = ["class", "removed", "added", "changed", "moved"]
    let rows = counts.sorted { $0.key.text < $1.key.text }.map { name, numbers in
      [Page.Cell(printableName(name.text), .type)] + numbers.map { Page.Cell.number($0) }
    }
    if !rows.isEmpty {
      try page.table([titles.enumerated().map { Page.Cell($1, .mark, isNumber: $0 > 0) }] + rows, level: 0)
    }
    try page.line("\(counted(input.schema.count, "difference")) of the schemas")
  }

  /// A value in one line.
  private func words(_ value: TypedValue?, _ catalog: ObjectCatalog) throws -> String {
    guard let value else { return "nothing" }
    if case .reference(let id?) = value.value {
      return "\(printableName(try catalog.className(of: id))) \(id)"
    }
    if let line = ValueText().line(value.value) { return line }
    return value.isCollection ? counted(value.childCount, "element") : "another value"
  }

  /// The values with the paths to them in the first file.
  private func paths(
    of values: ArraySlice<GraphChanges.Value>, _ ways: ObjectPaths
  ) throws -> [(GraphChanges.Value, String)] {
    var paths: [ObjectID: PathText] = [:]
    try ways.forEachPath(to: values.map(\.first).filter { $0.rawValue > 0 }) { paths[$0] = $1 }
    return values.map { value in
      if value.first.rawValue == 0 { return (value, PathText(root: value.name)?.text ?? "the roots") }
      let path = paths[value.first] ?? PathText(value.first)
      return (
        value, value.step.map { path.appending($0).text } ?? path.text + "." + printableName(value.name)
      )
    }
  }

  /// An object with its class and a path to it.
  private typealias Place = (id: ObjectID, name: String, path: String)

  private func moves(
    _ moved: ArraySlice<(first: ObjectID, second: ObjectID)>,
    _ ways: (first: ObjectPaths, second: ObjectPaths)
  ) throws -> [(from: Place, to: Place)] {
    func places(_ ids: [ObjectID], _ ways: ObjectPaths) throws -> [Place] {
      var places: [Place] = []
      try ways.forEachPath(to: ids) { id, path in
        places.append((id, printableName(try ways.catalog.className(of: id)), path.text))
      }
      return places
    }
    return Array(
      zip(try places(moved.map(\.first), ways.first), try places(moved.map(\.second), ways.second))
    )
    .map { (from: $0, to: $1) }
  }

  // MARK: JSON

  func write(_ input: Input, to json: JSONOutput) throws {
    try json.member("format", "arc")
    try json.member("schema") {
      try json.array(isPretty: true) { for difference in input.schema { try json.difference(difference) } }
    }
    guard let changes = input.changes, let ways = input.ways else { return }
    if stat {
      try json.member("removed", changes.removed.count)
      try json.member("added", changes.added.count)
      try json.member("changed", changes.changedCount)
      return try json.member("moved", changes.moved.count)
    }
    let limit = limit ?? .max
    try write(changes.removed.prefix(limit), as: "removed", ways.first, to: json)
    try write(changes.added.prefix(limit), as: "added", ways.second, to: json)
    try json.member("changed") {
      try json.array(isPretty: true) {
        for (value, path) in try paths(of: changes.values.prefix(limit), ways.first) {
          try json.checkLimit()
          try json.object {
            try json.member("first", Int(value.first.rawValue))
            try json.member("second", Int(value.second.rawValue))
            try json.member("class", value.className)
            try json.member("path", path)
            try json.member("key", value.name)
            if let old = value.old { try json.member("old") { try json.value(old.value) } }
            if let new = value.new { try json.member("new") { try json.value(new.value) } }
          }
        }
      }
    }
    try json.member("moved") {
      try json.array(isPretty: true) {
        for (from, to) in try moves(changes.moved.prefix(limit), ways) {
          try json.object {
            try json.member("first", Int(from.id.rawValue))
            try json.member("second", Int(to.id.rawValue))
            try json.member("class", try input.first.className(of: from.id))
            try json.member("from", from.path)
            try json.member("to", to.path)
          }
        }
      }
    }
  }

  private func write(
    _ ids: ArraySlice<ObjectID>, as key: String, _ ways: ObjectPaths, to json: JSONOutput
  ) throws {
    try json.member(key) {
      try json.array(isPretty: true) {
        try ways.forEachPath(to: Array(ids)) { id, path in
          try json.checkLimit()
          try json.object {
            try json.member("id", Int(id.rawValue))
            try json.member("class", try ways.catalog.className(of: id))
            try json.member("path", path.text)
          }
        }
      }
    }
  }
}

extension JSONOutput {
  /// Writes what reading does about a difference of schemas.
  func difference(_ difference: SchemaDifference) throws {
    try object {
      try member("effect", "\(difference.effect)")
      try member("class", optional: difference.className)
      try member("key", optional: difference.key)
      try member("fileType", optional: difference.fileType?.description)
      try member("programType", optional: difference.programType?.description)
      try member("found", difference.found)
      try member("expected", difference.expected)
      try member("remedy", optional: difference.remedy)
    }
  }
}
