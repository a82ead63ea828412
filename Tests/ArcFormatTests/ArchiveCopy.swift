import ArcRuntime
import Foundation
import XCTest

@testable import ArcFormat

/// The fixtures of the repository.
enum Fixtures {
  static func all() throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasSuffix(".arc") }.sorted().map {
      ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0))))
    }
  }
}

extension ArchiveFile {
  /// The same archive, read with the dynamic reader and written with the dynamic writer.
  func copy(compression: Compression = .none) throws -> [UInt8] {
    func properties(_ description: ClassDescription) -> [ArchiveBuilder.Property] {
      description.columns.map {
        ArchiveBuilder.Property(
          $0.key, attributes: $0.attributes.description, flags: $0.flags,
          declaredBy: classes[$0.declaringClass].name)
      }
    }
    let roots = classes[0].columns.map {
      ArchiveBuilder.Property($0.key, attributes: $0.attributes.description)
    }
    let metadata = Dictionary(try self.metadata().map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    let builder = try ArchiveBuilder(roots: roots, metadata: metadata, compression: compression)
    for description in classes.dropFirst() {
      try builder.addClass(
        description.name, superclass: description.superclass.map { classes[$0].name },
        version: description.version, properties: properties(description))
    }
    let objects = try (0..<UInt32(rowCount)).map { try object(ObjectID(rawValue: $0)) }
    for object in objects.dropFirst() {
      XCTAssertEqual(try builder.reserveObject(of: object.className), object.id)
    }
    for object in objects {
      let values = object.properties.map { (ArchiveBuilder.Key($0.key, of: $0.declaringClass), $0.value) }
      let unique = Dictionary(uniqueKeysWithValues: values)
      if object.id.rawValue == 0 {
        try builder.setRoots(unique)
      } else {
        try builder.setValues(unique, of: object.id)
      }
    }
    return try builder.finish()
  }

  /// All that the dynamic reader sees, as text: NaN differs from itself.
  func contents() throws -> [String] {
    try ["\(classes)", "\(metadata())"]
      + (0..<UInt32(rowCount)).map { "\(try object(ObjectID(rawValue: $0)))" }
  }
}
