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
    try json.object {
      try json.member("file", title)
      try json.member("version", file.versionText)
      try json.member("writer", file.writer)
      try json.member("bytes", file.byteCount)
      try json.member("rows", file.rowCount)
      try json.member("metadata") {
        try json.array {
          for (key, value) in try file.metadataEntries() {
            try json.array {
              try json.string(key)
              try json.string(value)
            }
          }
        }
      }
      try json.member("segments") { try writeSegments(to: json) }
      try json.member("classes") {
        try json.array { for index in file.classes.indices { try writeClass(index, to: json) } }
      }
      try json.member("blocks") {
        try json.array {
          for block in blocks {
            try json.array {
              try json.number(block.classIndex)
              try json.number(block.rowCount)
            }
          }
        }
      }
    }
  }

  /// Writes the bytes of segments by their kinds, before and after compression.
  private func writeSegments(to json: JSONOutput) throws {
    var kinds: [String] = []
    var totals: [String: (count: Int, raw: Int, stored: Int)] = [:]
    for segment in file.segments {
      let kind = segment.kindText
      if totals[kind] == nil { kinds.append(kind) }
      let old = totals[kind] ?? (0, 0, 0)
      totals[kind] = (
        old.count + 1, old.raw &+ segment.rawByteCount, old.stored &+ segment.storedByteCount
      )
    }
    try json.array {
      for kind in kinds {
        guard let total = totals[kind] else { continue }
        try json.object {
          try json.member("kind", kind)
          try json.member("count", total.count)
          try json.member("raw", total.raw)
          try json.member("stored", total.stored)
        }
      }
    }
  }

  private func writeClass(_ index: Int, to json: JSONOutput) throws {
    let description = file.classes[index]
    let counts = statistics.classes[index]
    try json.checkLimit()
    try json.object {
      try json.member("name", description.name)
      try json.member("superclass", number: description.superclassIndex)
      try json.member("version", "\(description.version)")
      try json.member("count", counts.objectCount)
      try json.member("columns") {
        try json.array {
          for position in description.columns.indices {
            try json.checkLimit()
            try json.object { try writeColumn(position, of: index, counts, to: json) }
          }
        }
      }
      try json.member("nodes") {
        try json.array { for node in file.layouts[index].nodes { try write(node, to: json) } }
      }
    }
  }

  private func writeColumn(
    _ position: Int, of classIndex: Int, _ counts: ClassStatistics, to json: JSONOutput
  ) throws {
    let column = file.classes[classIndex].columns[position]
    let nodes = counts.nodes.filter { $0.column == position }
    let layout = file.layouts[classIndex]
    // Only a whole property is unowned: a reference inside of a value is kept by it.
    let isUnowned =
      classIndex > 0 && column.isUnowned && layout.nodes[layout.roots[position]].kind == .reference
    try json.member("name", catalog.names(ofClass: classIndex)[position])
    try json.member("node", layout.roots[position])
    try json.member("owner", column.declaringClassIndex)
    try json.member("type", column.typeInWords)
    try json.member("attributes", column.attributesText)
    try json.member("isUnowned", bool: isUnowned)
    try json.member("bytes", nodes.reduce(0) { $0 &+ $1.storedByteCount })
    guard let property = nodes.first(where: { $0.isProperty }) else { return }
    try json.member("nils", property.nilCount)
    if NodeStatistics.isCounted(property.kind), !property.distinct.isIncomplete {
      try json.member("distinct", property.distinct.count)
    }
  }

  private func write(_ node: ColumnLayout.Node, to json: JSONOutput) throws {
    try json.object {
      try json.member("kind", "\(node.kind)")
      if let name = node.name { try json.member("name", name) }
      if !node.children.isEmpty {
        try json.member("children") {
          try json.array { for child in node.children { try json.number(child) } }
        }
      }
      if !node.labels.isEmpty {
        try json.member("labels") { try json.array { for label in node.labels { try json.string(label) } } }
      }
      if !node.payloads.isEmpty {
        try json.member("payloads") {
          try json.array {
            for payload in node.payloads {
              if let payload { try json.number(payload) } else { try json.null() }
            }
          }
        }
      }
    }
  }
}
