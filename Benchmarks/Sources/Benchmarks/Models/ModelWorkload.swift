import Arc
import ArcModel
import Foundation

/// One JSON text, and how it becomes models and text again.
struct ModelWorkload {
  let name: String
  let text: Lazily<[UInt8]>
  /// The ways to read the text, Arc's first, then that of Foundation.
  var readers: [Way]
  /// The ways to write the same models, Arc's first, then that of Foundation.
  let writers: [Way]

  /// A way to do it: what is timed, and its result, which is let go when the clock has stopped.
  struct Way {
    let name: String
    let run: () throws -> Any
  }

  /// A workload whose models are of one type for Arc, and of another for `Codable`.
  init<Model: ArchivableValue, Peer: Codable>(
    _ name: String, _ model: Model.Type, _ peer: Peer.Type, text makeText: @escaping () -> String
  ) {
    self.name = name
    let text = Lazily { Array(makeText().utf8) }
    let data = Lazily { Data(try text.value()) }
    self.text = text
    readers = [
      Way(name: "Arc") { try Model(json: text.value()) },
      Way(name: "JSONDecoder") { try JSONDecoder().decode(Peer.self, from: data.value()) },
      Way(name: "Arc, lenient") { try ModelReader(.lenient).read(Model.self, from: text.value()) },
    ]
    let models = Lazily { try Model(json: text.value()) }
    let peers = Lazily { try JSONDecoder().decode(Peer.self, from: data.value()) }
    writers = [
      Way(name: "Arc") { try ModelWriter().bytes(of: models.value()) },
      Way(name: "JSONEncoder") { try JSONEncoder().encode(peers.value()) },
    ]
  }
}

extension ModelWorkload {
  /// All workloads, of about `bytes` bytes each.
  static func all(bytes: Int) -> [ModelWorkload] {
    [
      ModelWorkload("timeline", TimelineModel.self, TimelinePeer.self) { ModelTexts.timeline(bytes: bytes) },
      ModelWorkload("catalogue", CatalogueModel.self, CataloguePeer.self) {
        ModelTexts.catalogue(bytes: bytes)
      },
      ModelWorkload("coordinates", MapModel.self, MapPeer.self) { ModelTexts.coordinates(bytes: bytes) },
      people(bytes: bytes),
    ]
  }

  /// Persons, who are built by hand as well.
  private static func people(bytes: Int) -> ModelWorkload {
    var workload = ModelWorkload("people", [PersonModel].self, [PersonPeer].self) {
      ModelTexts.people(bytes: bytes)
    }
    let people = Lazily { [text = workload.text] in try [PersonModel](json: text.value()) }
    workload.readers.append(Way(name: "by hand") { try people.value().map(\.rebuilt) })
    return workload
  }
}

extension PersonModel {
  /// The same objects with strings of their own: what making them takes without any text.
  fileprivate var rebuilt: PersonModel {
    let copy = PersonModel()
    (copy.id, copy.name, copy.email, copy.active) = (id, name.ownCopy, email?.ownCopy, active)
    (copy.score, copy.tags) = (score, tags.map(\.ownCopy))
    if let address {
      let other = AddressModel()
      (other.street, other.city, other.zip) = (address.street.ownCopy, address.city.ownCopy, address.zip)
      copy.address = other
    }
    return copy
  }
}

extension String {
  /// The string in memory of its own.
  fileprivate var ownCopy: String {
    var copy = self
    return copy.withUTF8 { String(decoding: $0, as: UTF8.self) }
  }
}
