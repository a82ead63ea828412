import ArcArchive
import ArcFormat
import ArcRuntime

/// What a page knows of its file before it looks at any object: the file itself, its classes with their
/// columns and types, what these cost, and which blocks of rows there are.
///
/// Types are a list of nodes for each class, as in `ColumnLayout`: `kind`, and where there is one `name`,
/// `children` (indices of nodes), `labels` (of fields or cases), and `payloads` (by case, the place in
/// `children`, or null).
struct HTMLIndex {
  /// Rows of one class in one segment, which have elements of their own in the page.
  struct Block {
    let classIndex: Int
    let rowCount: Int
  }

  private let catalog: ObjectCatalog
  private let title: String
  private let statistics: FileStatistics

  /// Reads the whole file to count.
  init(_ catalog: ObjectCatalog, title: String) throws {
    self.catalog = catalog
    self.title = title
    statistics = try FileStatistics(catalog)
  }

  private var file: ArchiveFile { catalog.file }

  /// Writes the index, which is one object.
  func write(blocks: [Block], to json: JSONOutput) throws {
    let index = ReportValue.record([
      "file": title, "version": file.versionText, "writer": file.writer, "bytes": file.byteCount,
      "rows": file.rowCount,
      "metadata": ReportValue.list(try file.metadataEntries()) { [$0.key, $0.value] },
      "segments": ReportValue.records(SegmentKindTotal.all(of: file)) {
        ["kind": $0.name, "count": $0.count, "raw": $0.rawByteCount, "stored": $0.storedByteCount]
      },
      "classes": ReportValue.list(file.classes.indices, description),
      "blocks": ReportValue.list(blocks) { [$0.classIndex, $0.rowCount] },
    ])
    try json.write(index)
  }

  private func description(ofClass index: Int) -> ReportValue {
    let description = file.classes[index]
    return .record([
      "name": description.name, "superclass": description.superclassIndex,
      "version": "\(description.version)", "count": statistics.classes[index].objectCount,
      "columns": ReportValue.list(description.columns.indices) { column($0, of: index) },
      "nodes": ReportValue.list(file.layouts[index].nodes) { Self.description(of: $0) },
    ])
  }

  private func column(_ position: Int, of classIndex: Int) -> ReportValue {
    let column = file.classes[classIndex].columns[position]
    let nodes = statistics.classes[classIndex].nodes.filter { $0.column == position }
    let layout = file.layouts[classIndex]
    // Only a whole property is unowned: a reference inside of a value is kept by it.
    let isUnowned =
      classIndex > 0 && column.isUnowned && layout.nodes[layout.roots[position]].kind == .reference
    let property = nodes.first { $0.isProperty }
    let isCounted =
      property.map { $0.isCounted && !$0.distinct.isIncomplete } ?? false
    return .record([
      "name": catalog.names(ofClass: classIndex)[position], "node": layout.roots[position],
      "owner": column.declaringClassIndex, "type": column.typeInWords, "attributes": column.attributesText,
      "isUnowned": isUnowned, "bytes": nodes.reduce(0) { $0 &+ $1.storedByteCount },
      "nils": ReportValue.ifPresent(property?.nilCount),
      "distinct": ReportValue.ifPresent(isCounted ? property?.distinct.count : nil),
    ])
  }

  private static func description(of node: ColumnLayout.Node) -> ReportValue {
    .record([
      "kind": "\(node.kind)", "name": ReportValue.ifPresent(node.name),
      "children": ReportValue.ifPresent(node.children.isEmpty ? nil : node.children),
      "labels": ReportValue.ifPresent(node.labels.isEmpty ? nil : node.labels),
      "payloads": ReportValue.ifPresent(node.payloads.isEmpty ? nil : node.payloads),
    ])
  }
}
