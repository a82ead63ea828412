import ArcArchive
import ArcFormat
import ArcJSON

/// Writes an archive as a single HTML page that needs no network, no classes and no other file.
///
///     try HTMLExport(ObjectCatalog(file), title: "people.arc").write(to: output)
///
/// The page contains the objects as JSON, in one element for each column of a class in a segment. The script
/// of the page parses an element only when it is needed. So a page is written segment by segment and opens
/// fast.
///
/// | element | content |
/// |---|---|
/// | `b3` | the rows of block 3 (one class in one segment): first row, count, first row, count… |
/// | `b3c1` | the values of column 1 of block 3, as `write(_:)` of `HTMLValues` writes them |
/// | `sizes` | by row: the bytes of the object, its retained bytes, the number of its retained objects |
/// | `index` | the output of `HTMLIndex`; `blocks` has the class and the number of rows of each block |
///
/// No content of the archive can run as a script, for three reasons. All content is JSON without `<`, `>`,
/// `&` and `'`, in elements that browsers do not execute. The page's script inserts the content into the
/// document only as text. The page's security policy contains the hashes of the page's script and style, and
/// allows no other script or style.
struct HTMLExport {
  private let catalog: ObjectCatalog
  private let title: String
  private let byteLimit: Int

  /// Creates an export of the objects of a file. `title` is the title of the page, usually the file name.
  /// Writing more than `byteLimit` bytes of values is an error, because a file can refer to one long string a
  /// million times.
  init(_ catalog: ObjectCatalog, title: String, byteLimit: Int = .max) {
    self.catalog = catalog
    self.title = title
    self.byteLimit = byteLimit
  }

  /// Writes the page.
  ///
  /// The whole file is verified first, so that most damage is found before anything is written.
  ///
  /// - Throws: `ArchiveError` if the file is damaged, `limitExceeded` if the values exceed the byte limit, or
  ///   the error of the output.
  /// - Complexity: O(values + references · log rows) time. Memory contains the values of one segment and 96
  ///   bytes for each row.
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

  /// Writes the elements of all blocks. Returns the class and the number of rows of each block.
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

  /// Writes ascending object numbers as runs of consecutive numbers. Each run is written as its first number
  /// and its count.
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

  /// Writes the size, the retained bytes and the number of retained objects of each row, including row 0. If
  /// no root retains a row, its retained bytes and objects are written as 0.
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
