import ArcArchive
import ArcFormat
import ArcRuntime
import ArgumentParser

/// `arcdump diff A B`: prints the differences between two archives.
///
/// JSON: `{"schema":[…],"removed":[{"id":…,"class":…,"path":…}],"added":[…],"changed":[{"first":1,"second":1,
/// "class":…,"path":…,"key":…,"old":…,"new":…}],"moved":[{"first":…,"second":…,"class":…,"from":…,"to":…}]}`;
/// `old` or `new` is missing if the object in that file has no such property.
struct DiffCommand: ReportingCommand {
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
      first, then elements of the same class in order. 'moved' means that the last reference on a shortest path \
      to the object belongs to a different object in B than in A. A line that begins with 'schema' reports a \
      problem or a conversion that occurs when a program with the classes of B reads A.

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

  /// Two files and their differences.
  final class Input {
    let first: ObjectCatalog
    let second: ObjectCatalog
    let schema: [SchemaDifference]
    /// The differences between the objects. Nil if `--schema` is set.
    let changes: GraphChanges?
    let objectPaths: (first: ObjectPaths, second: ObjectPaths)?

    init(_ first: ArchiveFile, _ second: ArchiveFile, keys: [String], isSchemaOnly: Bool) throws {
      (self.first, self.second) = (ObjectCatalog(first), ObjectCatalog(second))
      schema = try first.differences(readBy: second.schemaSnapshot)
      guard !isSchemaOnly else {
        (changes, objectPaths) = (nil, nil)
        return
      }
      let matching = try ObjectMatching(self.first, self.second, keys: keys.map(ObjectMatching.Key.init))
      let paths = try (
        ShortestPaths(in: RowReferences(verifying: first)),
        ShortestPaths(in: RowReferences(verifying: second))
      )
      changes = try GraphChanges(matching, paths.0, paths.1)
      objectPaths = (ObjectPaths(self.first, paths.0), ObjectPaths(self.second, paths.1))
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

  func fill(_ report: inout Report, from input: Input) throws {
    report.members(["format": "arc"])
    if !stat { for difference in input.schema { report.line("schema  " + printable("\(difference)")) } }
    report.table("schema", input.schema, level: nil, SchemaDifference.columns)
    guard let changes = input.changes, let objectPaths = input.objectPaths else { return }
    if stat { return try addCounts(of: changes, input, to: &report) }
    let limit = limit ?? (report.reader == .terminal ? 1000 : .max)
    add(changes.removed, "removed", "-", objectPaths.first, limit, to: &report)
    add(changes.added, "added", "+", objectPaths.second, limit, to: &report)
    report.list("changed", try paths(of: changes.values.prefix(limit), objectPaths.first)) { change, entry in
      let (value, path) = change
      try entry.line(
        Words(
          "~ \(path): \(try words(value.old, input.first)) → \(try words(value.new, input.second))"))
      entry.members([
        "first": value.first, "second": value.second, "class": value.className, "path": path,
        "key": value.name, "old": ReportValue.ifPresent(value.old?.value),
        "new": ReportValue.ifPresent(value.new?.value),
      ])
    }
    report.more(changes.values.count, beyond: limit, "changed ")
    report.list("moved", try moves(changes.moved.prefix(limit), objectPaths)) { move, entry in
      let (from, to) = move
      entry.line("> \(printableName(from.name)) \(from.id)  \(from.path) → \(to.path)")
      entry.members([
        "first": from.id, "second": to.id, "class": from.name, "from": from.path, "to": to.path,
      ])
    }
    report.more(changes.moved.count, beyond: limit, "moved ")
  }

  private func add(
    _ ids: [ObjectID], _ key: String, _ sign: String, _ objectPaths: ObjectPaths, _ limit: Int,
    to report: inout Report
  ) {
    func forEach(_ body: ((id: ObjectID, path: PathText)) throws -> Void) throws {
      try objectPaths.forEachPath(to: Array(ids.prefix(limit))) { try body(($0, $1)) }
    }
    report.list(key, each: forEach) { object, entry in
      let name = try objectPaths.catalog.className(of: object.id)
      entry.line("\(sign) \(printableName(name)) \(object.id)  \(object.path.text)")
      entry.members(["id": object.id, "class": name, "path": object.path])
    }
    report.more(ids.count, beyond: limit, key + " ")
  }

  private func addCounts(of changes: GraphChanges, _ input: Input, to report: inout Report) throws {
    report.members([
      "removed": changes.removed.count, "added": changes.added.count, "changed": changes.changedCount,
      "moved": changes.moved.count,
    ])
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
    report.table(
      nil, counts.sorted { $0.key.text < $1.key.text }, level: counts.isEmpty ? nil : 0,
      [
        Column(nil, "class", .type) { ReportValue.name($0.key.text) },
        Column(nil, "removed") { $0.value[0] }, Column(nil, "added") { $0.value[1] },
        Column(nil, "changed") { $0.value[2] }, Column(nil, "moved") { $0.value[3] },
      ])
    report.line("\(counted(input.schema.count, "difference")) of the schemas")
  }

  /// Returns a value as one line of text.
  private func words(_ value: TypedValue?, _ catalog: ObjectCatalog) throws -> String {
    guard let value else { return "nothing" }
    if case .reference(let id?) = value.value {
      return "\(printableName(try catalog.className(of: id))) \(id)"
    }
    if let line = ValueText().line(value.value) { return line }
    return value.isCollection ? counted(value.childCount, "element") : "another value"
  }

  /// Returns each changed value with its path in the first file.
  private func paths(
    of values: ArraySlice<GraphChanges.Value>, _ objectPaths: ObjectPaths
  ) throws -> [(GraphChanges.Value, String)] {
    var paths: [ObjectID: PathText] = [:]
    try objectPaths.forEachPath(to: values.map(\.first).filter { $0.rawValue > 0 }) { paths[$0] = $1 }
    return values.map { value in
      if value.first.rawValue == 0 { return (value, PathText(root: value.name)?.text ?? "the roots") }
      let path = paths[value.first] ?? PathText(value.first)
      return (
        value, value.step.map { path.appending($0).text } ?? path.text + "." + printableName(value.name)
      )
    }
  }

  /// An object with its class and a path to it.
  private typealias LocatedObject = (id: ObjectID, name: String, path: String)

  private func moves(
    _ moved: ArraySlice<(first: ObjectID, second: ObjectID)>,
    _ objectPaths: (first: ObjectPaths, second: ObjectPaths)
  ) throws -> [(from: LocatedObject, to: LocatedObject)] {
    func locatedObjects(_ ids: [ObjectID], _ objectPaths: ObjectPaths) throws -> [LocatedObject] {
      var objects: [LocatedObject] = []
      try objectPaths.forEachPath(to: ids) { id, path in
        objects.append((id, try objectPaths.catalog.className(of: id), path.text))
      }
      return objects
    }
    return Array(
      zip(
        try locatedObjects(moved.map(\.first), objectPaths.first),
        try locatedObjects(moved.map(\.second), objectPaths.second))
    )
    .map { (from: $0, to: $1) }
  }
}
