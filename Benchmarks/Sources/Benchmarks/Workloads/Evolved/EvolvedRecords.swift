import Foundation

/// A guest of the first release, for coders of values.
struct OldGuestRecord: Codable, Equatable {
  var name: String
  var birthYear: Int32
  var height: Float
  var nickname: String?
  var tags: [String]
  var friends: [Int]
  var topic: String?

  init(_ record: PersonRecord) {
    name = record.name
    birthYear = Int32(record.birthYear)
    height = Float(record.height)
    nickname = record.email
    tags = record.tags
    friends = record.friends
    topic = record.title
  }

  /// `JSONDecoder` and `PropertyListDecoder`, which read old guests as new guests.
  static func contenders(_ records: Lazily<[OldGuestRecord]>, objectCount: Int) -> [Contender] {
    [
      reading(
        Contender.Name.json, objectCount, { try JSONEncoder().encode(records.value()) },
        { try JSONDecoder().decode([GuestRecord].self, from: $0) }),
      reading(
        Contender.Name.propertyList, objectCount,
        {
          let encoder = PropertyListEncoder()
          encoder.outputFormat = .binary
          return try encoder.encode(records.value())
        }, { try PropertyListDecoder().decode([GuestRecord].self, from: $0) }),
    ]
  }

  private static func reading(
    _ name: String, _ objectCount: Int, _ encode: @escaping () throws -> Data,
    _ decode: @escaping (Data) throws -> [GuestRecord]
  ) -> Contender {
    let input = { try Array(encode()) }
    return Contender(
      name: name, role: .peer, operation: .unarchive, objectCount: objectCount, remark: "friends as indices",
      makeInput: input
    ) { bytes in
      let data = Data(bytes)
      return Call(bytesAreResult: false) {
        try decode(data)
      } byteCount: { _ in
        bytes.count
      } check: {
        guard $0.count == objectCount, $0.allSatisfy({ $0.rating == 5 }) else {
          throw WrongResult(description: "\(name) read other guests than it wrote")
        }
      }
    }
  }
}

/// A guest of the next release for coders of values, which reads an old guest.
private struct GuestRecord: Decodable {
  var friends: [Int]
  var rating: Double
  var height: Double
  var birthYear: Int
  var fullName: String
  var tags: [String]
  var isConfirmed: Bool
  var topic: String?

  private enum Key: String, CodingKey {
    case friends
    case rating
    case height
    case birthYear
    case fullName
    case name
    case tags
    case isConfirmed
    case topic
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    friends = try values.decode([Int].self, forKey: .friends)
    rating = try values.decodeIfPresent(Double.self, forKey: .rating) ?? 5
    height = try values.decode(Double.self, forKey: .height)
    birthYear = try values.decode(Int.self, forKey: .birthYear)
    fullName =
      try values.decodeIfPresent(String.self, forKey: .fullName) ?? values.decode(String.self, forKey: .name)
    tags = try values.decode([String].self, forKey: .tags)
    isConfirmed = try values.decodeIfPresent(Bool.self, forKey: .isConfirmed) ?? false
    topic = try values.decodeIfPresent(String.self, forKey: .topic)
  }
}
