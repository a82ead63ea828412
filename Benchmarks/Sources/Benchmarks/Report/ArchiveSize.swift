import Arc
import Foundation
import SwiftProtobuf

/// How many bytes a format takes for people.
struct ArchiveSize: Codable {
  let format: String
  let byteCount: Int
  /// After zlib at level 6.
  let compressedByteCount: Int

  /// Arc and its peers, all with the same people; the peers have friends as indices.
  static func ofPeople(count: Int) throws -> [ArchiveSize] {
    let columns = PeopleColumns(count: count)
    let people = columns.rebuild()
    defer { PeopleWorkload.letGo(people) }
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
