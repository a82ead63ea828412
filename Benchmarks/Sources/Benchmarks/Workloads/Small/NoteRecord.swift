import Foundation

/// A note, for coders of values.
struct NoteRecord: Codable, Equatable {
  var id: Int
  var title: String
  var body: String
  var isRead: Bool
  var priority: Int32
  var score: Double
  var sender: String?
  var replyTo: Int?
  var tags: [String]
  var size: Int64
}

extension ProtoNote {
  /// Creates a protobuf message from a record.
  init(_ record: NoteRecord) {
    self.init()
    id = Int64(record.id)
    title = record.title
    body = record.body
    isRead = record.isRead
    priority = record.priority
    score = record.score
    if let sender = record.sender { self.sender = sender }
    if let replyTo = record.replyTo { self.replyTo = Int64(replyTo) }
    tags = record.tags
    size = record.size
  }
}

/// A note, for `NSKeyedArchiver`.
final class KeyedNote: NSObject, NSCoding {
  let record: NoteRecord

  init(_ record: NoteRecord) { self.record = record }

  init?(coder: NSCoder) {
    guard let title = coder.decodeObject(forKey: "title") as? String,
      let body = coder.decodeObject(forKey: "body") as? String,
      let tags = coder.decodeObject(forKey: "tags") as? [String]
    else { return nil }
    record = NoteRecord(
      id: coder.decodeInteger(forKey: "id"), title: title, body: body,
      isRead: coder.decodeBool(forKey: "isRead"),
      priority: coder.decodeInt32(forKey: "priority"), score: coder.decodeDouble(forKey: "score"),
      sender: coder.decodeObject(forKey: "sender") as? String,
      replyTo: coder.containsValue(forKey: "replyTo") ? coder.decodeInteger(forKey: "replyTo") : nil,
      tags: tags,
      size: coder.decodeInt64(forKey: "size"))
  }

  func encode(with coder: NSCoder) {
    coder.encode(record.id, forKey: "id")
    coder.encode(record.title, forKey: "title")
    coder.encode(record.body, forKey: "body")
    coder.encode(record.isRead, forKey: "isRead")
    coder.encode(record.priority, forKey: "priority")
    coder.encode(record.score, forKey: "score")
    coder.encode(record.sender, forKey: "sender")
    if let replyTo = record.replyTo { coder.encode(replyTo, forKey: "replyTo") }
    coder.encode(record.tags, forKey: "tags")
    coder.encode(record.size, forKey: "size")
  }
}
