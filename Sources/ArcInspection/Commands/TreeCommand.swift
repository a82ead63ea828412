import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump FILE`: prints the graph from the named roots.
///
/// JSON: `{"format":"arc","version":"1.0","roots":{name: value},"objects":[…]}`, where each object is
/// `{"id":1,"class":"Person","properties":{key: value}}`. Objects are in a flat list in the order of their
/// rows. `JSONOutput.value(_:)` describes the form of values. If `--limit` omits objects, `"leftOut"` is
/// their number. Spec: 10-json. With `--json-lines`, the first line contains the roots, `{"roots":{…}}`. Each
/// following line contains an object, and a last line may contain `leftOut`.
struct TreeCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "Print the objects as a tree.",
    discussion: """
      tree prints each object once, with its properties below it. 'Tree #4' is the object of class Tree that \
      has number 4 in the file; the commands get and holders accept this number. The numbers are not in the \
      order of the lines, because the file stores the objects of each class together. For example:
        arcdump garden.arc --depth 2

      If several strong references refer to an object, it is printed below the first printed object that \
      refers to it. Every other line with a reference to the object has a mark:
        (below)  the object is printed further down
        (above)  the object is printed further up
        (cycle)  the object is printed further up and contains this line

      tree does not follow weak references, which are marked 'weak'. If a class and its superclass have \
      properties with equal keys, the superclass's property has a prefix: 'Biology.age'.

      If --depth or --limit truncates the output, tree detects damage only in the segments that it reads. \
      Otherwise, tree checks the whole file.
      """)

  @OptionGroup var options: InspectionOptions

  @OptionGroup var lines: LineOptions

  @Option(
    parsing: .unconditional,
    help: "The maximum depth of objects to print. (default: 6 on a terminal, otherwise all)")
  var depth: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of objects to print, and of elements per collection. (default: 1,000 on a "
        + "terminal, otherwise all)"))
  var limit: Int?

  @Flag(help: "Do not truncate long strings and data.")
  var full = false

  var format: OutputFormat { lines.format(with: options) }

  func validate() throws {
    try lines.validate(with: options)
    if let depth, depth < 0 { throw ValidationError("--depth must not be negative.") }
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if format != .text, depth != nil {
      throw ValidationError("--depth cannot be combined with JSON, which lists objects without nesting.")
    }
  }

  func write(_ file: ArchiveFile, to page: Page) throws {
    let bounds = TreePrinter.Bounds(
      depth: depth ?? (page.isOnTerminal ? 6 : .max), count: limit ?? (page.isOnTerminal ? 1000 : .max))
    var printer = TreePrinter(ObjectCatalog(file), to: page, bounds: bounds, isWhole: full)
    try printer.print()
    // If no bound truncates the output, the command must report any damage of the file. The printer does not
    // read unused strings, metadata and unreachable objects.
    if printer.isWithinBounds { try file.verify() }
  }

  func write(_ file: ArchiveFile, to json: JSONOutput) throws {
    let catalog = ObjectCatalog(file)
    // The roots are read before output begins. If reading fails, the output consists only of the error.
    _ = try catalog.roots()
    try json.member("format", "arc")
    try json.member("version", file.versionText)
    try json.member("roots") { try json.roots(catalog) }
    let count = min(catalog.objectCount, limit ?? .max)
    try json.member("objects") {
      try json.array(isPretty: true) {
        try writeObjects(count, catalog, to: json)
      }
    }
    if count < catalog.objectCount { try json.member("leftOut", catalog.objectCount - count) }
    // If the file breaks a rule, the document must contain an error, even if all objects are intact. Spec:
    // 10-json.
    try file.verify()
  }

  func writeLines(_ file: ArchiveFile, to json: JSONOutput) throws {
    let catalog = ObjectCatalog(file)
    _ = try catalog.roots()
    try json.object { try json.member("roots") { try json.roots(catalog) } }
    let count = min(catalog.objectCount, limit ?? .max)
    try writeObjects(count, catalog, to: json)
    if count < catalog.objectCount {
      try json.object { try json.member("leftOut", catalog.objectCount - count) }
    }
    try file.verify()
  }

  private func writeObjects(_ count: Int, _ catalog: ObjectCatalog, to json: JSONOutput) throws {
    for row in 0..<UInt32(count) {
      try json.checkLimit()
      json.progress?.note(Int(row), of: count, "objects")
      try json.object(ObjectID(rawValue: row + 1), catalog)
    }
  }
}
