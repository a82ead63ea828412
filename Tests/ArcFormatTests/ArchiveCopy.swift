import ArcRuntime
import XCTest

@testable import ArcArchive
@testable import ArcFormat

extension ArchiveFile {
  /// Reads the archive with the dynamic reader and writes it with the dynamic writer. Returns the copy.
  func copy(compression: Compression = .none) throws -> [UInt8] {
    func properties(_ description: ClassDescription) -> [ArchiveBuilder.Property] {
      description.columns.map {
        ArchiveBuilder.Property(
          $0.key, attributes: $0.attributes.description, isKeyed: $0.flags.contains(.keyed),
          isConstruction: $0.flags.contains(.construction),
          declaredBy: classes[$0.declaringClassIndex].name)
      }
    }
    let roots = classes[0].columns.map {
      ArchiveBuilder.Property($0.key, attributes: $0.attributes.description)
    }
    let metadata = try self.metadata()
    let builder = try ArchiveBuilder(roots: roots, metadata: metadata, compression: compression)
    for description in classes.dropFirst() {
      try builder.addClass(
        description.name, superclass: description.superclassIndex.map { classes[$0].name },
        version: description.version, properties: properties(description))
    }
    let objects = try (0..<UInt32(rowCount)).map { try object(ObjectID(rawValue: $0)) }
    for object in objects.dropFirst() {
      XCTAssertEqual(try builder.reserveObject(ofClass: object.className), object.id)
    }
    for object in objects {
      let values = object.properties.map {
        (ArchiveBuilder.Key($0.key, declaredBy: $0.declaringClass), $0.value)
      }
      let unique = Dictionary(uniqueKeysWithValues: values)
      if object.id.rawValue == 0 {
        try builder.setRoots(unique)
      } else {
        try builder.setValues(unique, of: object.id)
      }
    }
    return try builder.finish()
  }

  /// Returns all values that the dynamic reader reads, as text, because NaN is not equal to itself.
  func contents() throws -> [String] {
    try ["\(classes)", "\(metadataEntries())"]
      + (0..<UInt32(rowCount)).map { "\(try object(ObjectID(rawValue: $0)))" }
  }
}
