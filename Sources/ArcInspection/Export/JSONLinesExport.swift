import ArcArchive
import ArcFormat

/// `--format jsonl`: a JSON object for each object of the archive, on its own line.
///
///     {"class":"Person","id":2,"values":{"name":"Ada","mother":{"$ref":7},"friends":[{"$ref":3}]}}
///
/// Values are written as `arcdump --json` writes them (`JSONOutput+Values.swift`). A reference is
/// `{"$ref":3}`, where 3 is the `id` of another line. The named roots are an object with `id` 0 and the class
/// `$roots`.
struct JSONLinesExport: ExportWriter {
  private let objects: ExportedObjects
  private let json: JSONOutput

  init(_ objects: ExportedObjects, to output: Output) {
    self.objects = objects
    // The output counts the bytes, so this limit is not needed.
    json = JSONOutput(output: output, byteLimit: .max)
  }

  func write(_ row: ExportedRow) throws {
    let catalog = objects.catalog
    let names = catalog.names(ofClass: row.classIndex)
    let columns = objects.columns[row.classIndex] ?? []
    try json.object {
      try json.member("class", catalog.file.classes[row.classIndex].name)
      try json.member("id", Int(row.id.rawValue))
      try json.member("values") {
        try json.object {
          for (column, value) in zip(columns, row.values) {
            guard let value else { continue }
            try json.member(names[column]) { try json.value(value) }
          }
        }
      }
    }
  }
}
