import ArcFormat

extension JSONOutput {
  /// Writes an object with its number, its class and all of its properties.
  func object(_ object: ArchiveObject, _ catalog: ObjectCatalog) throws {
    try self.object {
      try member("id", Int(object.id.rawValue))
      try member("class", object.className)
      try member("properties") { try properties(of: object, catalog) }
    }
  }

  /// Writes the properties of an object, or the roots, by their names.
  func properties(of object: ArchiveObject, _ catalog: ObjectCatalog) throws {
    try self.object {
      for property in object.properties {
        try member(catalog.name(of: property, in: object)) { try value(property.value) }
      }
    }
  }
}
