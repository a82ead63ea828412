import ArcFormat
import ArgumentParser

/// `arcdump classes FILE`: the hierarchy, and what each class declares.
struct ClassesCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "classes",
    abstract: "Print the class hierarchy, the properties and the meaning of their attributes.",
    discussion: """
      For example, to get Swift declarations of the classes in a file:
        arcdump classes --swift garden.arc
      """)

  @OptionGroup var options: InspectionOptions
  @OptionGroup var counting: CountingOptions

  @Flag(help: "Print Objective-C interfaces instead of the list of classes.")
  var interface = false

  @Flag(help: "Print compilable Swift declarations instead of the list of classes.")
  var swift = false

  func validate() throws {
    if (interface && swift) || (options.json && (interface || swift)) {
      throw ValidationError("--interface, --swift and --json cannot be combined.")
    }
  }

  func write(_ file: ArchiveFile, to page: Page) throws {
    if interface { return try InterfaceDeclarations(file: file, page: page).write() }
    if swift { return try SwiftDeclarations(file, page: page).write() }
    let classes = try file.objectClasses(counting)
    let properties = file.declaredProperties()
    var subclasses: [Int: [Int]] = [:]
    for (position, entry) in classes.enumerated() {
      subclasses[entry.description.superclassIndex ?? -1, default: []].append(position)
    }
    // Superclasses without objects are in the list too, so every class is reached from -1.
    var pending = (subclasses[-1] ?? []).reversed().map { (position: $0, level: 0) }
    while let next = pending.popLast() {
      let entry = classes[next.position]
      try page.line(title(entry, in: file, page.style), level: next.level)
      try page.table((properties[entry.index] ?? []).map(cells), level: next.level + 1)
      pending += (subclasses[entry.index] ?? []).reversed().map { ($0, next.level + 1) }
    }
  }

  private func title(_ entry: ObjectClass, in file: ArchiveFile, _ style: Style) -> String {
    let version = entry.description.version
    return style(.type, printableName(entry.description.name))
      + (entry.description.superclassIndex.map { ": " + printableName(file.classes[$0].name) } ?? "")
      + style(
        .mark,
        (version == 0 ? "" : " version \(version)")
          + (entry.rowCount.map { " (\(counted($0, "object")))" } ?? ""))
  }

  private func cells(_ column: ColumnDescription) -> [Page.Cell] {
    [
      Page.Cell(printable(column.key), .key), Page.Cell(printable(column.attributesText), .string),
      Page.Cell(printable(([column.attributesInWords] + column.flagsInWords).joined(separator: "; "))),
    ]
  }

  func write(_ file: ArchiveFile, to json: JSONOutput) throws {
    let properties = file.declaredProperties()
    try json.member("format", "arc")
    try json.member("version", file.versionText)
    try json.member("classes") {
      try json.array(isPretty: true) {
        for entry in try file.objectClasses(counting) {
          try json.object {
            try json.member("name", entry.description.name)
            if let superclass = entry.description.superclassIndex {
              try json.member("superclass", file.classes[superclass].name)
            }
            try json.member("version") { try json.value(.integer(Int128(entry.description.version))) }
            try json.member("objects", number: entry.rowCount)
            try json.member("properties") {
              try json.array { for column in properties[entry.index] ?? [] { try write(column, to: json) } }
            }
          }
        }
      }
    }
  }

  private func write(_ column: ColumnDescription, to json: JSONOutput) throws {
    try json.object {
      try json.member("key", column.key)
      try json.member("attributes", column.attributesText)
      try json.member("meaning", column.attributesInWords)
      try json.member("construction") { try json.bool(column.flags.contains(.construction)) }
      try json.member("keyed") { try json.bool(column.flags.contains(.keyed)) }
    }
  }
}
