import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump classes FILE`: prints the class hierarchy and the properties of each class.
struct ClassesCommand: ReportingCommand {
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
    try page.write(Report(for: page.reader) { try fill(&$0, from: file) })
  }

  func fill(_ report: inout Report, from file: ArchiveFile) throws {
    let classes = Result { try file.objectClasses(counting) }
    let properties = file.declaredProperties()
    report.members(["format": "arc", "version": file.versionText])
    report.list("classes", try classes.get()) { entry in
      let superclass = entry.description.superclassIndex.map { file.classes[$0].name }
      return [
        "name": entry.description.name, "superclass": ReportValue.ifPresent(superclass),
        "version": ArchiveValue.integer(Int128(entry.description.version)), "objects": entry.rowCount,
        "properties": ReportValue.records(properties[entry.index] ?? []) {
          [
            "key": $0.key, "attributes": $0.attributesText, "meaning": $0.attributesInWords,
            "construction": $0.flags.contains(.construction), "keyed": $0.flags.contains(.keyed),
          ]
        },
      ]
    }
    addHierarchy(of: try classes.get(), properties, in: file, to: &report)
  }

  private func addHierarchy(
    of classes: [ObjectClass], _ properties: [Int: [ColumnDescription]], in file: ArchiveFile,
    to report: inout Report
  ) {
    var subclasses: [Int: [Int]] = [:]
    for (position, entry) in classes.enumerated() {
      subclasses[entry.description.superclassIndex ?? -1, default: []].append(position)
    }
    // The list also contains superclasses without objects, so the walk from index -1 reaches every class.
    var pending = (subclasses[-1] ?? []).reversed().map { (position: $0, level: 0) }
    while let next = pending.popLast() {
      let entry = classes[next.position]
      report.line(title(entry, in: file), level: next.level)
      report.table(
        nil, properties[entry.index] ?? [], level: next.level + 1,
        [
          Column(nil, "", .key) { $0.key }, Column(nil, "", .string) { $0.attributesText },
          Column(nil, "") { ([$0.attributesInWords] + $0.flagsInWords).joined(separator: "; ") },
        ])
      pending += (subclasses[entry.index] ?? []).reversed().map { ($0, next.level + 1) }
    }
  }

  private func title(_ entry: ObjectClass, in file: ArchiveFile) -> Words {
    let version = entry.description.version
    return Words(printableName(entry.description.name), .type)
      + (entry.description.superclassIndex.map { ": " + printableName(file.classes[$0].name) } ?? "")
      + Words(
        (version == 0 ? "" : " version \(version)")
          + (entry.rowCount.map { " (\(counted($0, "object")))" } ?? ""), .mark)
  }
}
