import ArcFormat
import ArgumentParser

/// `arcdump cycles FILE`: cycles of strong references.
///
/// JSON: `{"cycles":[{"objects":3,"classes":[{"class":"Person","objects":3}],"example":1,"length":2,
/// "path":"#1.friends[0].friends[0]","reachedBy":"root"}],"count":1}`: `path` leads from the example back to
/// it.
struct CyclesCommand: InspectionCommand {
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

  func write(_ file: ArchiveFile, to page: Page) throws {
    let cycles = try ReferenceCycles(ObjectCatalog(file))
    let limit = limit ?? (page.isOnTerminal ? 100 : .max)
    if cycles.count == 0 { return try page.line("no cycles of strong references") }
    try page.line(
      "\(counted(cycles.count, "set")) of objects in strong reference cycles, \(counted(cycles.objectCount, "object"))"
    )
    try cycles.forEach(atMost: limit) { cycle in
      let classes =
        cycle.classes.prefix(4).map { "\(grouped($0.count)) \(printableName($0.name))" }
        .joined(separator: ", ") + (cycle.classes.count > 4 ? ", …" : "")
      try page.line(page.style(.heading, counted(cycle.objectCount, "object")) + ": " + classes, level: 1)
      var rows = [[Page.Cell("cycle", .key), Page.Cell(cycle.path.text)]]
      if cycle.length > ObjectPaths.longestWay {
        rows[0] = [
          Page.Cell("cycle", .key), Page.Cell(cycle.path.text + " … \(grouped(cycle.length)) references"),
        ]
      }
      rows.append([Page.Cell("path", .key), Page.Cell(cycle.reachedBy?.text ?? "none: no root retains them")])
      try page.table(rows, level: 2)
    }
    if cycles.count > limit {
      try page.line(page.style(.mark, "… \(grouped(cycles.count - limit)) more (--limit \(limit))"), level: 1)
    }
  }

  func write(_ file: ArchiveFile, to json: JSONOutput) throws {
    let cycles = try ReferenceCycles(ObjectCatalog(file))
    try json.member("format", "arc")
    try json.member("cycles") {
      try json.array(isPretty: true) {
        try cycles.forEach(atMost: limit ?? .max) { cycle in
          try json.checkLimit()
          try json.object {
            try json.member("objects", cycle.objectCount)
            try json.member("classes") {
              try json.array {
                for entry in cycle.classes {
                  try json.object {
                    try json.member("class", entry.name)
                    try json.member("objects", entry.count)
                  }
                }
              }
            }
            try json.member("example", Int(cycle.example.rawValue))
            try json.member("length", cycle.length)
            try json.member("path", cycle.path.text)
            try json.member("reachedBy", optional: cycle.reachedBy?.text)
          }
        }
      }
    }
    try json.member("count", cycles.count)
  }
}
