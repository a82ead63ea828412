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
    abstract: "Recover the intact objects of a damaged or truncated archive.",
    discussion: """
      recover writes the intact objects to a new archive and prints what was lost. For example:
        arcdump recover damaged.arc -o recovered.arc

      A reference to a lost object becomes nil, or is omitted from its collection. Objects at the end of a \
      truncated file may be incomplete: their last properties become nil or have no value. Intact objects \
      that can no longer be reached from a root are added to a root 'recovered'. If the file ends before its \
      first objects, only strings are recovered, in a root 'recoveredStrings'.

      Exit codes:
        0   everything was recovered
        1   something was lost
        65  nothing could be recovered; no archive is written
        74  the new archive or the report cannot be written
      Other codes: see 'arcdump help'.
      """)

  @Argument(help: "The damaged archive; '-' for standard input.", completion: .file())
  var file: String

  @Option(name: [.short, .long], help: "The archive to create; it must not exist.")
  var output: String

  @Flag(help: "Print the result, or the error, as JSON.")
  var json = false

  @Flag(help: "Trust the file: raise the limits to gigabytes and millions of objects.")
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
            .damagedSegment, found: "no intact object", expected: "at least one intact object",
            remedy: "restore the file from a backup: no object can be recovered")
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
  if path == "-" {
    throw ValidationError("Name a file with -o OUT: an archive is not written to standard output.")
  }
}

/// Refuses an empty name of what is to be made.
func checkIsNamed(_ path: String) throws {
  if path.isEmpty { throw ValidationError("Name the output with -o OUT: the name is empty.") }
}
