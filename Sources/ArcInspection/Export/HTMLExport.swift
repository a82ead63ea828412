import ArcArchive
import ArcFormat
import ArcJSON

/// Writes an archive as one page of HTML that needs nothing else: no network, no classes, no other file.
///
///     try HTMLExport(ObjectCatalog(file), title: "people.arc").write(to: output)
///
/// The objects are in the page as JSON, a piece for each column of a class in a segment, which the script of
/// the page parses when somebody looks at it. So a page is written a segment at a time, and opened fast.
///
/// | element | holds |
/// |---|---|
/// | `b3` | of block 3, that is the rows of one class in one segment: first row, count, first row, count … |
/// | `b3c1` | the values of its column 1, as `write(_:)` of `HTMLValues` writes them |
/// | `sizes` | by row, the bytes of the object, those that it retains, and the objects that it retains |
/// | `index` | what `HTMLIndex` writes; `blocks` has the class and the number of rows of each block |
///
/// Nothing of the file can run as script: all of it is JSON without `<`, `>`, `&` and `'`, in elements that
/// are no scripts to a browser; the page puts it into the document as text; and the page's own policy forbids
/// any script and style but the two that are written here, by their hashes.
struct HTMLExport {
  private let catalog: ObjectCatalog
  private let title: String
  private let byteLimit: Int

  /// An export of the objects of a file. `title` names the page, mostly by the name of the file. Writing more
  /// than `byteLimit` bytes of values is an error: a file can mention one long text a million times.
  init(_ catalog: ObjectCatalog, title: String, byteLimit: Int = .max) {
    self.catalog = catalog
    self.title = title
    self.byteLimit = byteLimit
  }

  /// Writes the page.
  ///
  /// - Throws: what is wrong with the file, all of which is verified first, so that most damage is known
  ///   before anything is written; `limitExceeded`; or what the output throws.
  /// - Complexity: O(values + references · log rows) time; the values of one segment in memory, and 96 bytes
  ///   for each row.
  func write(to output: Output) throws {
    let index = try HTMLIndex(catalog, title: title)
    let references = try RowReferences(verifying: catalog.file)
    let sizes = try RowSizes(of: catalog.file)
    let dominators = DominatorTree(references, reversed: references.reversed(), sizes)
    let json = JSONOutput(output: output, byteLimit: byteLimit, isInPage: true)
    try HTMLPage.writeBeginning(title: title, to: output)
    let blocks = try writeBlocks(json, output)
    try HTMLPage.element("sizes", output) { try write(sizes, dominators, json) }
    try HTMLPage.element("index", output) { try index.write(blocks: blocks, to: json) }
    try HTMLPage.writeEnd(to: output)
  }

  /// Writes all values; returns of each block the class and the number of rows.
  private func writeBlocks(_ json: JSONOutput, _ output: Output) throws -> [HTMLIndex.Block] {
    var blocks: [HTMLIndex.Block] = []
    let values = HTMLValues(json)
    func isWanted(_ classIndex: Int) -> Bool { true }
    try catalog.file.forEachBatch(where: isWanted) { classIndex, ids, batch in
      let name = "b\(blocks.count)"
      blocks.append(HTMLIndex.Block(classIndex: classIndex, rowCount: ids.count))
      try HTMLPage.element(name, output) { try write(ids, json) }
      for position in catalog.file.classes[classIndex].columns.indices {
        guard let column = try batch.column(at: position) else { continue }
        let all = try column.values()
        try HTMLPage.element("\(name)c\(position)", output) {
          try json.array { for value in all { try values.write(value) } }
        }
      }
    }
    return blocks
  }

  /// Writes the numbers of objects, ascending, as runs: most of them follow each other.
  private func write(_ ids: [ObjectID], _ json: JSONOutput) throws {
    try json.array {
      var first = 0
      for index in ids.indices {
        let isLast = index + 1 == ids.count || ids[index + 1].rawValue &- ids[index].rawValue != 1
        guard isLast else { continue }
        try json.number(ids[first].rawValue)
        try json.number(index + 1 - first)
        first = index + 1
      }
    }
  }

  /// Writes what each row takes and retains, row 0 included; what no root keeps retains nothing.
  private func write(_ sizes: RowSizes, _ dominators: DominatorTree, _ json: JSONOutput) throws {
    try json.object {
      try json.member("own") {
        try json.array { for bits in sizes.bitCounts { try json.number((bits &+ 7) / 8) } }
      }
      let rows = sizes.bitCounts.indices
      try json.member("bytes") {
        try json.array { for row in rows { try json.number(dominators.retained(by: row)?.byteCount ?? 0) } }
      }
      try json.member("objects") {
        try json.array { for row in rows { try json.number(dominators.retained(by: row)?.objectCount ?? 0) } }
      }
    }
  }
}
