import ArcArchive
import ArcFormat
import ArcRuntime
import ArgumentParser

/// `arcdump schema FILE`: prints the schema of an archive or schema snapshot, or how a program with another
/// schema reads files of this schema.
struct SchemaCommand: ReportingCommand {
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

  /// The schema or the differences to print.
  enum Input {
    case schema(SchemaSnapshot)
    case differences([SchemaDifference])
  }

  /// The contents of a file: an archive or a schema snapshot.
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

  func fill(_ report: inout Report, from input: Input) {
    report.members(["format": "arc"])
    switch input {
    case .schema(let schema): add(schema, to: &report)
    case .differences(let differences): add(differences, to: &report)
    }
  }

  // MARK: Differences

  private func add(_ differences: [SchemaDifference], to report: inout Report) {
    report.table("differences", differences, level: differences.isEmpty ? nil : 0, SchemaDifference.columns)
    report.members(["worst": differences.map(\.effect).max().map { "\($0)" }])
    guard !differences.isEmpty else { return report.line("no differences") }
    let refused = differences.filter { $0.effect == .refused && $0.remedy != nil }
    if !refused.isEmpty {
      report.heading("what to do")
      report.table(
        nil, refused, level: 1,
        [
          Column(nil, "", .type) { $0.shownClass }, Column(nil, "", .key) { $0.shownKey },
          Column(nil, "") { $0.remedy },
        ])
    }
    let counts = SchemaDifference.Effect.allCases.reversed().compactMap { effect in
      let count = differences.count { $0.effect == effect }
      return count == 0 ? nil : "\(grouped(count)) \(effect)"
    }
    report.line()
    report.line(counted(differences.count, "difference") + ": " + counts.joined(separator: ", "))
  }

  // MARK: Schema

  private func add(_ schema: SchemaSnapshot, to report: inout Report) {
    for line in schema.lines { report.line(line) }
    report.list("roots", schema.roots) {
      ["name": $0.name, "type": $0.type.description, "olderNames": $0.olderNames]
    }
    report.list("classes", schema.classes) {
      [
        "name": $0.name, "superclass": $0.superclass, "version": $0.version, "keyed": $0.isKeyed,
        "formerNames": $0.formerNames,
        "properties": ReportValue.records($0.properties) {
          [
            "key": $0.keys.first ?? "", "olderKeys": Array($0.keys.dropFirst()), "type": $0.type.description,
            "let": $0.isReadOnly, "weak": $0.isWeak, "keyed": $0.isKeyed, "ifMissing": $0.absence.word,
            "madeOf": $0.older,
          ]
        },
        "olderNames": $0.olderNames,
      ]
    }
  }
}

extension SchemaSnapshot.OlderNames: Reportable {
  var reportValue: ReportValue {
    .record([
      "type": type, "name": label, "olderNames": conversions.isEmpty ? names.reportValue : .absent,
      "madeOf": conversions.isEmpty ? .absent : conversions.reportValue,
    ])
  }
}

extension SchemaDifference {
  /// The columns of the table that lists differences.
  static var columns: [Column<SchemaDifference>] {
    [
      Column("effect", "effect") { Words("\($0.effect)", $0.effect == .refused ? .heading : .plain) },
      Column("class", "class", .type) { $0.shownClass }, Column("key", "key", .key) { $0.shownKey },
      Column("fileType") { $0.fileType?.description }, Column("programType") { $0.programType?.description },
      Column("found", "file") { $0.found }, Column("expected", "program") { $0.expected },
      Column("remedy") { $0.remedy },
    ]
  }

  fileprivate var shownClass: ReportValue {
    .words(Words(className.map { printableName($0) } ?? "(root)"), as: className)
  }

  fileprivate var shownKey: ReportValue { key.map { .name($0) } ?? .null }
}
