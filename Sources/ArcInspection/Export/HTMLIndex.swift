import ArcArchive
import ArcFormat
import ArcRuntime

/// The part of an HTML page that the page's script reads before any object. It describes the file, the
/// classes with their columns, types and sizes, and the blocks of rows.
///
/// The types of a class are a list of nodes, as in `ColumnLayout`. A node has `kind` and, if they exist,
/// `name`, `children` (indices of nodes), `labels` (of fields or cases) and `payloads` (for each case, an
/// index in `children` or null).
struct HTMLIndex {
  /// The rows of one class in one segment. Each block has its own elements in the page.
  struct Block {
    let classIndex: Int
    let rowCount: Int
  }

  private let catalog: ObjectCatalog
  private let title: String
  private let statistics: FileStatistics

  /// Creates the index. Reads the whole file to compute the statistics.
  init(_ catalog: ObjectCatalog, title: String) throws {
    self.catalog = catalog
    self.title = title
    statistics = try FileStatistics(catalog)
  }

  private var file: ArchiveFile { catalog.file }

  /// Writes the index as one JSON object.
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
    // Only a property that is itself a reference can be unowned. A reference inside a structure or collection
    // is strong or weak.
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
