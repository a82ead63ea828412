/// The lines that the command prints. Each line has a label and a text, in two columns.
struct GraphReport {
  private(set) var lines: [(label: String, text: String)] = []

  init() {}

  /// Adds the input, and what was repaired or omitted.
  mutating func describe(_ file: InputFile, _ notes: [String]) {
    lines.append(("input", "\(file.name), \(file.bytes.count) bytes"))
    if !notes.isEmpty { lines.append(("repaired", notes.joined(separator: ", "))) }
  }

  /// Adds the numbers of objects and links.
  mutating func describe(_ counts: GraphStatistics) {
    let classes = [
      (counts.installed, "installed"), (counts.available, "available"), (counts.virtual, "virtual"),
      (counts.missing, "missing"),
    ]
    let parts = classes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    lines.append(("packages", "\(counts.packages): \(parts.joined(separator: ", "))"))
    lines.append(("dependencies", "\(counts.dependencies), with \(counts.alternatives) alternatives"))
    lines.append(("maintainers", "\(counts.maintainers)"))
    lines.append(("weak links", "\(counts.weakLinks)"))
  }

  /// Adds the number of dependency cycles, and the largest of them.
  mutating func describe(cycles: [[Package]]) {
    lines.append(("cycles", "\(cycles.count)"))
    for cycle in cycles.prefix(4) {
      let names = cycle.prefix(6).map(\.name).joined(separator: ", ")
      let more = cycle.count > 6 ? ", and \(cycle.count - 6) more" : ""
      lines.append(("", "\(cycle.count) packages: \(names)\(more)"))
    }
  }

  /// Adds the sizes of the archive, and the times of all parts.
  mutating func describe(_ trip: RoundTrip, preceding: [(part: String, duration: Duration)]) {
    lines.append(
      ("archive", "\(trip.sizeWithoutCompression) bytes, \(trip.sizeWithZlib) with zlib"))
    lines.append(("objects", "\(trip.objectCount)"))
    let times = (preceding + trip.times).map { "\($0.part) \(Self.seconds($0.duration))" }
    lines.append(("times", times.joined(separator: ", ")))
  }

  /// Prints the lines to standard output.
  func print() {
    for (label, text) in lines {
      let padding = String(repeating: " ", count: max(14 - label.count, 1))
      Swift.print(label + padding + text)
    }
  }

  /// Returns milliseconds below a second, and otherwise seconds with two decimals.
  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = Int(duration / .milliseconds(1))
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    let hundredths = milliseconds / 10
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) s"
  }
}
