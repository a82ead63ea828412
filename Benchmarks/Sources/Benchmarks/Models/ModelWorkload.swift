import Arc
import ArcModel
import Foundation

/// A JSON text, and implementations of reading it as models and writing the models as JSON.
struct ModelWorkload {
  let name: String
  let text: Lazily<[UInt8]>
  /// The implementations of reading the text. Arc's is the first, and Foundation's is the second.
  var readers: [Implementation]
  /// The implementations of writing the same models. Arc's is the first, and Foundation's is the second.
  let writers: [Implementation]

  /// An implementation of reading or writing. `run` is timed; its result is freed after the clock has
  /// stopped.
  struct Implementation {
    let name: String
    let run: () throws -> Any
  }

  /// Creates a workload with one type of models for Arc, and another type for `Codable`.
  init<Model: ArchivableValue, Peer: Codable>(
    _ name: String, _ model: Model.Type, _ peer: Peer.Type, text makeText: @escaping () -> String
  ) {
    self.name = name
    let text = Lazily { Array(makeText().utf8) }
    let data = Lazily { Data(try text.value()) }
    self.text = text
    readers = [
      Implementation(name: "Arc") { try Model(json: text.value()) },
      Implementation(name: "JSONDecoder") { try JSONDecoder().decode(Peer.self, from: data.value()) },
      Implementation(name: "Arc, lenient") { try ModelReader(.lenient).read(Model.self, from: text.value()) },
    ]
    let models = Lazily { try Model(json: text.value()) }
    let peers = Lazily { try JSONDecoder().decode(Peer.self, from: data.value()) }
    writers = [
      Implementation(name: "Arc") { try ModelWriter().bytes(of: models.value()) },
      Implementation(name: "JSONEncoder") { try JSONEncoder().encode(peers.value()) },
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

  /// Returns a workload of persons, which also compares creating the objects without JSON.
  private static func people(bytes: Int) -> ModelWorkload {
    var workload = ModelWorkload("people", [PersonModel].self, [PersonPeer].self) {
      ModelTexts.people(bytes: bytes)
    }
    let people = Lazily { [text = workload.text] in try [PersonModel](json: text.value()) }
    workload.readers.append(Implementation(name: "by hand") { try people.value().map(\.rebuilt) })
    return workload
  }
}

extension PersonModel {
  /// The same objects with strings of their own. Creating them shows the time that reading needs without any
  /// text.
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
  /// A copy of the string in its own memory.
  fileprivate var ownCopy: String {
    var copy = self
    return copy.withUTF8 { String(decoding: $0, as: UTF8.self) }
  }
}
