import Arc
import Foundation
import SwiftProtobuf

/// The number of bytes in which a format stores the people.
struct ArchiveSize: Codable {
  let format: String
  let byteCount: Int
  /// The number of bytes after compression by zlib at level 6.
  let compressedByteCount: Int

  /// Returns the sizes for Arc and its peers, with the same people. The peers store friends as indices.
  static func ofPeople(count: Int) throws -> [ArchiveSize] {
    let columns = PeopleColumns(count: count)
    let people = columns.rebuild()
    defer { PeopleWorkload.dismantle(people) }
    let records = columns.records
    let propertyListEncoder = PropertyListEncoder()
    propertyListEncoder.outputFormat = .binary
    return [
      ArchiveSize(
        format: Contender.Name.arc, byteCount: try Archiver().archive(people).count,
        compressedByteCount: try Archiver(compression: .zlib).archive(people).count),
      try ArchiveSize(Contender.Name.json, Array(JSONEncoder().encode(records))),
      try ArchiveSize(Contender.Name.propertyList, Array(propertyListEncoder.encode(records))),
      try ArchiveSize(Contender.Name.protobuf, ProtoPeople(records).serializedBytes()),
    ]
  }
}

extension ArchiveSize {
  private init(_ format: String, _ bytes: [UInt8]) throws {
    self.init(format: format, byteCount: bytes.count, compressedByteCount: try bytes.deflated(level: 6).count)
  }
}
