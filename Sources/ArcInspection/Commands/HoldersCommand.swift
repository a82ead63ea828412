import ArcFormat
import ArgumentParser

/// `arcdump holders FILE [OBJECT]`: who refers to an object, how a root reaches it, and what it keeps.
///
/// JSON:
/// `{"id":2,"class":"Person","path":"root.friends[0]","length":2,"retainedObjects":1,"retainedBytes":40,
/// "dominator":1,"holders":[{"id":1,"class":"Person","path":"#1.friends[0]","kind":"strong"}]}`; `length`,
/// the two numbers and `dominator` are null where no root retains the object. Without an object
/// `{"objects":[{"id":…,"class":…,"path":…,"retainedObjects":…,"retainedBytes":…}]}`, the largest first.
struct HoldersCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "holders",
    abstract: "Print the references to an object and its retained size.",
    discussion: """
      OBJECT is a number or a path. For example:
        arcdump holders FILE 17
        arcdump holders FILE 'root.people[3]'

      holders prints the references to the object, a shortest path from a root to the object, and the \
      retained size of the object. The retained size is the size of the object and of all objects that the \
      roots reach only through the object. Without OBJECT, holders lists the objects with the largest \
      retained size.

      Sizes are the bytes of the values before packing and compression, without strings that the file \
      stores once for all objects. Weak and unowned references do not retain objects.
      """)

  @OptionGroup var options: InspectionOptions

  @Argument(help: "The number of the object, or a path to it.")
  var object: String?

  @Option(
    help: ArgumentHelp(
      "The maximum number of objects or references to print. (default: 20 objects; 1,000 references on a "
        + "terminal, otherwise all)"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if let object { try asValidation { () throws(QueryError) in _ = try QueryParser.path(object) } }
  }

  // MARK: Text

  func write(_ file: ArchiveFile, to page: Page) throws {
    let heap = try Heap(ObjectCatalog(file))
    guard let object else { return try writeLargest(heap, to: page) }
    let held = try heap.holding(target(object, heap), atMost: limit ?? (page.isOnTerminal ? 1000 : .max))
    try page.line(page.style(.type, printableName(held.className)) + page.style(.mark, " \(held.id)"))
    var rows: [[Page.Cell]] = []
    func row(_ title: String, _ text: String) { rows.append([Page.Cell(title, .key), Page.Cell(text)]) }
    if let length = held.length, let retained = held.retained {
      row("path", held.path.text)
      if length > ObjectPaths.longestWay { row("", "\(grouped(length)) references from the roots") }
      row(
        "retains",
        "\(counted(retained.objectCount, "object")), \(counted(retained.byteCount, "byte")), itself included")
      row("retained by", held.dominator.map { "\($0.className) \($0.id) only" } ?? "the roots")
    } else {
      row("path", "none: no root retains it")
    }
    try page.table(rows, level: 1)
    try page.line(
      page.style(.heading, held.holderCount == 0 ? "no references" : counted(held.holderCount, "reference")),
      level: 1)
    try page.table(
      held.holders.map {
        [
          Page.Cell($0.path), Page.Cell("\($0.strength)", .mark),
          Page.Cell($0.id.rawValue == 0 ? "root" : $0.className, .type),
        ]
      }, level: 2)
    if held.holders.count < held.holderCount {
      try page.line(
        page.style(.mark, "… \(grouped(held.holderCount - held.holders.count)) more (--limit)"), level: 2)
    }
  }

  private func writeLargest(_ heap: Heap, to page: Page) throws {
    let titles = ["objects", "bytes", "retained by", "path"]
    var rows = [titles.enumerated().map { Page.Cell($1, .mark, isNumber: $0 < 2) }]
    for entry in try heap.largest(limit ?? 20) {
      rows.append([
        .number(entry.objectCount), .number(entry.byteCount),
        Page.Cell("\(entry.className) \(entry.id)", .type),
        Page.Cell(entry.path.text),
      ])
    }
    try page.table(rows, level: 0)
    if heap.lostCount > 0 {
      try page.line(page.style(.mark, "(no root retains \(counted(heap.lostCount, "object")))"))
    }
  }

  private func target(_ text: String, _ heap: Heap) throws -> ObjectID {
    try QueryRunner(heap.catalog).object(at: QueryParser.path(text), text)
  }

  // MARK: JSON

  func write(_ file: ArchiveFile, to json: JSONOutput) throws {
    try json.member("format", "arc")
    let heap = try Heap(ObjectCatalog(file))
    guard let object else {
      return try json.member("objects") {
        try json.array(isPretty: true) {
          for entry in try heap.largest(limit ?? 20) {
            try json.object {
              try json.member("id", Int(entry.id.rawValue))
              try json.member("class", entry.fullClassName)
              try json.member("path", entry.path.text)
              try json.member("retainedObjects", entry.objectCount)
              try json.member("retainedBytes", entry.byteCount)
            }
          }
        }
      }
    }
    let held = try heap.holding(target(object, heap), atMost: limit ?? .max)
    try json.member("id", Int(held.id.rawValue))
    try json.member("class", held.className)
    try json.member("path", held.path.text)
    try json.member("length", number: held.length)
    try json.member("retainedObjects", number: held.retained?.objectCount)
    try json.member("retainedBytes", number: held.retained?.byteCount)
    try json.member("dominator", number: held.dominator.map { Int($0.id.rawValue) })
    try json.member("holders") {
      try json.array(isPretty: true) {
        for holder in held.holders {
          try json.checkLimit()
          try json.object {
            try json.member("id", Int(holder.id.rawValue))
            try json.member("class", holder.fullClassName)
            try json.member("path", holder.path)
            try json.member("kind", "\(holder.strength)")
          }
        }
      }
    }
    try json.member("holderCount", held.holderCount)
  }
}
