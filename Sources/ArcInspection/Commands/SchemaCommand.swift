import ArcFormat
import ArcRuntime
import ArgumentParser

/// `arcdump schema FILE`: what a file, or the snapshot of a program, declares, and what a program with
/// another schema would do about it.
struct SchemaCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the schema of a file, or compare two schemas.",
    discussion: """
      FILE and NEW are archives or schema snapshots. A program writes a snapshot of its schema with \
      SchemaSnapshot. schema prints the schema of FILE as a snapshot. For example:
        arcdump schema old.arc --against new.schema

      With --against, schema prints the differences between FILE and a program with the schema of NEW, and \
      the effect of each difference when the program reads FILE:
        compatible  nothing is lost
        converted   each value becomes an equal value of another type
        checked     values that fit are converted, other values are errors
        lossy       some values are not read
        refused     the file cannot be read
      Prefer a snapshot as NEW, because an archive contains only the classes of its objects and no initial \
      values.

      Exit codes:
        0   nothing is refused
        1   something is refused
      Other codes: see 'arcdump help'.
      """)

  @OptionGroup var options: InspectionOptions

  @Option(help: ArgumentHelp("An archive or snapshot: the schema of the reader.", valueName: "new"))
  var against: String?

  /// What is printed.
  enum Input {
    case schema(SchemaSnapshot)
    case differences([SchemaDifference])
  }

  /// What is in a file.
  private enum Source {
    case archive(ArchiveFile)
    case snapshot(SchemaSnapshot)

    var schema: SchemaSnapshot {
      switch self {
      case .archive(let file): file.schemaSnapshot
      case .snapshot(let snapshot): snapshot
      }
    }
  }

  func validate() throws {
    if options.file == "-", against == "-" {
      throw ValidationError("Only one of the two files can be standard input.")
    }
  }

  func read(with console: Console) throws -> Input {
    let source = try open(options.file, with: console)
    guard let against else { return .schema(source.schema) }
    let new: SchemaSnapshot
    do {
      new = try open(against, with: console).schema
    } catch {
      throw OtherFileFailure(path: against, error: error)
    }
    switch source {
    case .archive(let file): return .differences(try file.differences(readBy: new))
    case .snapshot(let old): return .differences(try new.differences(readingFilesOf: old))
    }
  }

  private func open(_ path: String, with console: Console) throws -> Source {
    var failure: ArchiveError?
    do {
      if let file = try console.map(path, options.limits) { return .archive(file) }
    } catch let error as ArchiveError {
      failure = error
    }
    let bytes = try console.read(path, options.limits.fileBytes)
    if SchemaSnapshot.isText(bytes) { return .snapshot(try SchemaSnapshot(parsing: bytes)) }
    if let failure { throw failure }
    return .archive(try ArchiveFile(bytes: bytes, limits: options.limits))
  }

  func status(of input: Input) -> ExitStatus {
    guard case .differences(let differences) = input else { return .ok }
    return differences.contains { $0.effect == .refused } ? .incomplete : .ok
  }

  // MARK: Text

  func write(_ input: Input, to page: Page) throws {
    switch input {
    case .schema(let schema): for line in schema.lines { try page.line(line) }
    case .differences(let differences): try write(differences, to: page)
    }
  }

  private func write(_ differences: [SchemaDifference], to page: Page) throws {
    guard !differences.isEmpty else { return try page.line("no differences") }
    let header = ["effect", "class", "key", "file", "program"].map { Page.Cell($0, .mark) }
    try page.table([header] + differences.map(cells), level: 0)
    let remedies = differences.filter { $0.effect == .refused }.compactMap { difference in
      difference.remedy.map { place(difference) + [Page.Cell(printable($0))] }
    }
    if !remedies.isEmpty {
      try page.line()
      try page.line(page.style(.heading, "what to do"))
      try page.table(remedies, level: 1)
    }
    let counts = SchemaDifference.Effect.allCases.reversed().compactMap { effect in
      let count = differences.count { $0.effect == effect }
      return count == 0 ? nil : "\(grouped(count)) \(effect)"
    }
    try page.line()
    try page.line(counted(differences.count, "difference") + ": " + counts.joined(separator: ", "))
  }

  private func cells(_ difference: SchemaDifference) -> [Page.Cell] {
    [Page.Cell("\(difference.effect)", difference.effect == .refused ? .heading : .plain)] + place(difference)
      + [Page.Cell(printable(difference.found)), Page.Cell(printable(difference.expected))]
  }

  private func place(_ difference: SchemaDifference) -> [Page.Cell] {
    [
      Page.Cell(difference.className.map { printableName($0) } ?? "(root)", .type),
      Page.Cell(difference.key.map { printableName($0) } ?? "", .key),
    ]
  }

  // MARK: JSON

  func write(_ input: Input, to json: JSONOutput) throws {
    try json.member("format", "arc")
    switch input {
    case .schema(let schema): try write(schema, to: json)
    case .differences(let differences):
      try json.member("differences") {
        try json.array(isPretty: true) { for difference in differences { try json.difference(difference) } }
      }
      try json.member("worst", optional: differences.map(\.effect).max().map { "\($0)" })
    }
  }

  private func write(_ schema: SchemaSnapshot, to json: JSONOutput) throws {
    try json.member("roots") {
      try json.array(isPretty: true) {
        for root in schema.roots {
          try json.object {
            try json.member("name", root.name)
            try json.member("type", root.type.description)
            try write(root.olderNames, to: json)
          }
        }
      }
    }
    try json.member("classes") {
      try json.array(isPretty: true) { for entry in schema.classes { try write(entry, to: json) } }
    }
  }

  private func write(_ entry: SchemaSnapshot.Class, to json: JSONOutput) throws {
    try json.object {
      try json.member("name", entry.name)
      try json.member("superclass", optional: entry.superclass)
      try json.member("version", number: entry.version)
      try json.member("keyed", bool: entry.isKeyed)
      try write(entry.formerNames, as: "formerNames", to: json)
      try json.member("properties") {
        try json.array { for property in entry.properties { try write(property, to: json) } }
      }
      try write(entry.olderNames, to: json)
    }
  }

  private func write(_ property: SchemaSnapshot.Property, to json: JSONOutput) throws {
    try json.object {
      try json.member("key", property.keys.first ?? "")
      try write(Array(property.keys.dropFirst()), as: "olderKeys", to: json)
      try json.member("type", property.type.description)
      try json.member("let", bool: property.isReadOnly)
      try json.member("weak", bool: property.isWeak)
      try json.member("keyed", bool: property.isKeyed)
      try json.member("ifMissing", optional: property.absence.word)
      try write(property.older, to: json)
    }
  }

  private func write(_ conversions: [[String]], to json: JSONOutput) throws {
    try json.member("madeOf") {
      try json.array {
        for keys in conversions { try json.array { for key in keys { try json.string(key) } } }
      }
    }
  }

  private func write(_ olderNames: [SchemaSnapshot.OlderNames], to json: JSONOutput) throws {
    try json.member("olderNames") {
      try json.array {
        for older in olderNames {
          try json.object {
            try json.member("type", older.type)
            try json.member("name", older.label)
            if older.conversions.isEmpty {
              try write(older.names, as: "olderNames", to: json)
            } else {
              try write(older.conversions, to: json)
            }
          }
        }
      }
    }
  }

  private func write(_ names: [String], as key: String, to json: JSONOutput) throws {
    try json.member(key) { try json.array { for name in names { try json.string(name) } } }
  }
}
