import ArcArchive
import ArcFormat

extension JSONOutput {
  /// Writes an object with its number, its class and all of its properties.
  func object(_ id: ObjectID, _ catalog: ObjectCatalog) throws {
    try catalog.file.withColumns(of: id) { row in
      try object {
        try member("id", Int(id.rawValue))
        try member("class", catalog.file.classes[row.classIndex].name)
        try member("properties") { try properties(row, catalog) }
      }
    }
  }

  /// Writes the named roots as one JSON object, with a member for each root.
  func roots(_ catalog: ObjectCatalog) throws {
    try catalog.file.withColumns(of: try catalog.roots().id) { row in try properties(row, catalog) }
  }

  private func properties(_ row: ObjectTokens, _ catalog: ObjectCatalog) throws {
    let names = catalog.names(ofClass: row.classIndex)
    try object {
      for position in 0..<row.count {
        guard let value = try row.value(position) else { continue }
        try member(names[position]) { try self.value(value) }
      }
    }
  }
}
