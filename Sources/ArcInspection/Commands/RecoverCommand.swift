import ArcFormat
import ArgumentParser

/// `arcdump recover FILE -o OUT`: a new archive of what is left of a damaged one.
///
/// JSON:
/// `{"format":"arc","objects":3,"segments":2,"intactSegments":1,"strings":0,"lost":{"objects":null,…}}`; null
/// where it is not known how many objects were lost.
struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Write a new archive with what is left of a damaged or cut one.",
    discussion: """
      A reference to a lost object becomes nil, or is left out of collections. Of the objects at the end of a cut file the \
      first properties are left; others are nil or have no value. Objects that no root leads to any \
      more are in a root 'recovered'. Strings stand before the objects that have them: of a file that ends before its \
      first objects, strings alone are left, in a root 'recoveredStrings'.

      Exit codes: 0 nothing was lost, 1 something was, 65 nothing could be recovered, and nothing is written; 64 and 66 \
      as for other commands; 74 the archive or this report could not be written, and the message says which.
      """)

  @Argument(help: "The damaged archive; '-' reads standard input.", completion: .file())
  var file: String

  @Option(name: [.short, .long], help: "The archive to write; there must be no such file yet.")
  var output: String

  @Flag(help: "Print JSON, also for errors.")
  var json = false

  @Flag(help: "Allow what a file from a stranger may not ask for: gigabytes, millions of objects.")
  var trust = false

  func validate() throws { try checkIsArchivePath(output) }

  func run() throws {
    let status = recover(with: .standard, write: Console.writeNew)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Recovers what it can, passes the new archive and its path to `write`, and reports what was lost; returns
  /// the exit code.
  func recover(with console: Console, write: ([UInt8], String) throws -> Void) -> ExitStatus {
    defer { console.finish() }
    do {
      let limits: ArchiveLimits = trust ? .default : .untrusted
      let recovery: ArchiveRecovery
      let bytes: [UInt8]
      do {
        recovery = try ArchiveRecovery(bytes: console.read(file, limits.fileBytes), limits: limits)
        guard recovery.objectCount > 0 || !recovery.losses.hasLostRoots || !recovery.strings.isEmpty else {
          throw ArchiveError(
            .damagedSegment, found: "no object before the damage", expected: "at least one",
            remedy: "nothing can be recovered")
        }
        bytes = try recovery.archive()
      } catch {
        return try console.refuse(InspectionFailure(error, hasMoreTrust: !trust), of: file, asJSON: json)
      }
      try write(bytes, output)
      return console.report(onArchive: output, recovery.losses.isEmpty ? .ok : .incomplete) {
        if json {
          let output = JSONOutput(output: console.output, byteLimit: .max)
          try output.object(isPretty: true) { try Self.write(recovery, to: output) }
        } else {
          for line in lines(recovery) { try console.output.line(line) }
        }
      }
    } catch {
      try? console.errors.line("arcdump: \(printable("\(error)"))")
      try? console.errors.flush()
      return .outputError
    }
  }

  /// Writes what was recovered, and what was lost, as the members of an open object.
  private static func write(_ recovery: ArchiveRecovery, to json: JSONOutput) throws {
    let losses = recovery.losses
    try json.member("format", "arc")
    try json.member("objects", recovery.objectCount)
    try json.member("segments", recovery.segments.count)
    try json.member("intactSegments", recovery.segments.count(where: \.isIntact))
    try json.member("strings", recovery.strings.count)
    try json.member("lost") {
      try json.object(isPretty: true) {
        try json.member("objects", number: losses.objectCount)
        try json.member("references", losses.referenceCount)
        try json.member("strings", losses.stringCount)
        try json.member("values", losses.valueCount)
        try json.member("roots", bool: losses.hasLostRoots)
        try json.member("metadata", bool: losses.hasLostMetadata)
        try json.member("segments") {
          try json.array(isPretty: true) {
            for segment in recovery.segments where !segment.isIntact {
              try json.object {
                try json.member("kind", segment.info.kindText)
                try json.member("byteOffset", segment.info.byteOffset)
                try json.member("contents", segment.info.contents)
              }
            }
          }
        }
        try json.member("byteRanges") {
          try json.array(isPretty: true) {
            for range in losses.byteRanges {
              try json.object {
                try json.member("from", range.lowerBound)
                try json.member("to", range.upperBound)
              }
            }
          }
        }
      }
    }
  }

  private func lines(_ recovery: ArchiveRecovery) -> [String] {
    let intact = recovery.segments.count(where: \.isIntact)
    let losses = recovery.losses
    var lines = [
      "recovered: \(counted(recovery.objectCount, "object")), \(counted(intact, "segment")) of "
        + grouped(recovery.segments.count)
    ]
    if !recovery.strings.isEmpty {
      lines.append(
        "strings: \(grouped(recovery.strings.count)), in a root '\(ArchiveRecovery.recoveredStringsRootName)'; "
          + "the rows that they belong to are behind the end of the file")
    }
    if losses.isEmpty { return lines + ["lost: nothing"] }
    let objects = losses.objectCount.map { counted($0, "object") } ?? "an unknown number of objects"
    lines.append(
      "lost: \(objects), \(counted(losses.referenceCount, "reference")), \(counted(losses.stringCount, "string"))"
        + (losses.valueCount > 0 ? ", \(counted(losses.valueCount, "value")) of other objects" : "")
        + (losses.hasLostRoots ? ", the named roots" : "") + (losses.hasLostMetadata ? ", the metadata" : ""))
    for segment in recovery.segments where !segment.isIntact {
      lines.append(
        "  \(segment.info.kindText) at byte \(grouped(segment.info.byteOffset)): \(segment.info.contents)")
    }
    for range in losses.byteRanges {
      lines.append("  bytes \(grouped(range.lowerBound)) to \(grouped(range.upperBound - 1))")
    }
    return lines
  }
}

/// Refuses `-` for an archive to be made: a file is whole, or not there, which no stream can say.
func checkIsArchivePath(_ path: String) throws {
  try checkIsNamed(path)
  if path == "-" { throw ValidationError("An archive is written to a file, not to standard output: -o OUT.") }
}

/// Refuses an empty name of what is to be made.
func checkIsNamed(_ path: String) throws {
  if path.isEmpty { throw ValidationError("The name of what is to be made is empty: -o OUT.") }
}
