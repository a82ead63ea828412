import Arc
import ArcModel
import Foundation

/// One JSON text, and how it becomes models and text again.
struct ModelWorkload {
  let name: String
  let text: [UInt8]
  /// The ways to read the text, Arc's first.
  let readers: [Way]
  /// The ways to write the same models, Arc's first.
  let writers: [Way]

  /// A way to do it: what is timed, and its result, which is let go when the clock has stopped.
  struct Way {
    let name: String
    let run: () throws -> Any
  }

  /// A workload whose models are of one type for Arc, and of another for `Codable`.
  init<Model: ArchivableValue, Peer: Codable>(
    _ name: String, _ text: String, _ model: Model.Type, _ peer: Peer.Type, lenient: Bool = false
  ) throws {
    self.name = name
    let bytes = Array(text.utf8)
    self.text = bytes
    let data = Data(bytes)
    var readers = [
      Way(name: "Arc") { try Model(json: bytes) },
      Way(name: "JSONDecoder") { try JSONDecoder().decode(Peer.self, from: data) },
    ]
    if lenient {
      readers.append(
        Way(name: "Arc, lenient") { try ModelReader(.lenient).read(Model.self, from: bytes) })
    }
    self.readers = readers
    let (value, other) = (try Model(json: bytes), try JSONDecoder().decode(Peer.self, from: data))
    writers = [
      Way(name: "Arc") { try ModelWriter().bytes(of: value) },
      Way(name: "JSONEncoder") { try JSONEncoder().encode(other) },
    ]
  }
}

extension ModelWorkload {
  /// All workloads, of about `bytes` bytes each.
  static func all(bytes: Int) throws -> [ModelWorkload] {
    [
      try ModelWorkload(
        "timeline", ModelTexts.timeline(bytes: bytes), TimelineModel.self, TimelinePeer.self),
      try ModelWorkload(
        "catalogue", ModelTexts.catalogue(bytes: bytes), CatalogueModel.self, CataloguePeer.self),
      try ModelWorkload(
        "coordinates", ModelTexts.coordinates(bytes: bytes), MapModel.self, MapPeer.self),
      try ModelWorkload(
        "people", ModelTexts.people(bytes: bytes), [PersonModel].self, [PersonPeer].self, lenient: true),
    ]
  }
}
