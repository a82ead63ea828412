import Arc

/// An object of ten properties, like a note or a settings file.
@Archivable
final class Note: Walkable {
  let id: Int
  var title: String
  var body: String
  var isRead: Bool
  var priority: Int32
  var score: Double
  var sender: String?
  var replyTo: Int?
  var tags: [String]
  var size: Int64

  init(_ values: NoteRecord) {
    id = values.id
    title = values.title
    body = values.body
    isRead = values.isRead
    priority = values.priority
    score = values.score
    sender = values.sender
    replyTo = values.replyTo
    tags = values.tags
    size = values.size
  }

  func visit(_ walk: inout Walk) {
    walk.digest.fold(id)
    walk.digest.fold(title)
    walk.digest.fold(body)
    walk.digest.fold(isRead)
    walk.digest.fold(priority)
    walk.digest.fold(score)
    walk.digest.fold(sender)
    walk.digest.fold(replyTo)
    walk.digest.fold(tags.count)
    for tag in tags { walk.digest.fold(tag) }
    walk.digest.fold(size)
  }
}

/// One object in an archive of its own, many times. It measures the constant cost of a call.
struct SmallWorkload: Workload {
  static let name = "small"
  static let fullCount = 1

  private let record = NoteRecord(
    id: 4711, title: "Minutes of the meeting", body: "We met, and it was good: see you next week.",
    isRead: true, priority: 3, score: 0.75, sender: "Rosalind Featherstone", replyTo: nil,
    tags: ["work", "minutes"], size: 18_231)

  init(count: Int) {}

  var contenders: [Contender] {
    let values = self.record
    let record = Lazily { values }
    let note = Lazily { Note(try record.value()) }
    let notes = Lazily {
      let note = try note.value()
      return [note]
    }
    let subject = ArcSubject(root: note, objectCount: 1) {
      WalkMemory(capacity: 1).digest([$0])
    }
    return subject.contenders + subject.valueContenders
      + Contender.walk(notes, objectCount: 1)
      + [.rebuild(record, objectCount: 1) { Note($0) }]
      + Contender.codable(record, objectCount: 1)
      + Contender.protobuf(Lazily { ProtoNote(try record.value()) }, objectCount: 1)
      + Contender.keyedArchiver(Lazily { KeyedNote(try record.value()) }, objectCount: 1) {
        WalkMemory(capacity: 1).digest([Note($0.record)])
      }
  }
}
