import Arc
import ArcJSON
import ArcModel
import Foundation

/// The documents of an API, whose classes use several features at once, and implementations of reading and
/// writing.
struct APIWorkload {
  let text: Lazily<[UInt8]>
  /// The implementations of reading the text. Foundation's is the last.
  let readers: [ModelWorkload.Implementation]
  /// The implementations of writing the objects that were read. Foundation's is the last.
  let writers: [ModelWorkload.Implementation]
  /// Throws if Arc and Foundation read different documents, or cannot read what they wrote.
  let verify: () throws -> Void

  init(count: Int) {
    let text = Lazily { Array(FeatureTexts.documents(count).utf8) }
    let data = Lazily { Data(try text.value()) }
    let (strict, lenient, writer) = (ModelReader(), ModelReader(.lenient), ModelWriter())
    let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
    decoder.dateDecodingStrategy = .iso8601
    encoder.dateEncodingStrategy = .iso8601
    let models = Lazily { try strict.read([APIDocument].self, from: text.value()) }
    let peers = Lazily { try decoder.decode([ChosenPeer].self, from: data.value()) }
    self.text = text
    readers = [
      ModelWorkload.Implementation(name: "Arc reads") {
        try strict.read([APIDocument].self, from: text.value())
      },
      ModelWorkload.Implementation(name: "Arc reads, lenient") {
        try lenient.read([APIDocument].self, from: text.value())
      },
      ModelWorkload.Implementation(name: "JSONDecoder") {
        try decoder.decode([ChosenPeer].self, from: data.value())
      },
    ]
    writers = [
      ModelWorkload.Implementation(name: "Arc writes") { try writer.bytes(of: models.value()) },
      ModelWorkload.Implementation(name: "JSONEncoder") { try encoder.encode(peers.value()) },
    ]
    verify = {
      let documents = try models.value()
      let written = try writer.bytes(of: documents)
      let again = try decoder.decode([ChosenPeer].self, from: encoder.encode(peers.value()))
      guard try Self.areSame(documents, peers.value()), Self.areSame(documents, again) else {
        throw WrongResult(description: "API model: Foundation reads other objects than Arc")
      }
      guard try JSONValue(utf8: written) == JSONValue(utf8: text.value()) else {
        throw WrongResult(description: "API model: the objects are written as another text")
      }
      let readLeniently = try lenient.read([APIDocument].self, from: written)
      guard try ObjectGraph.isIsomorphic(documents, readLeniently) else {
        throw WrongResult(description: "API model: a lenient reader reads other objects")
      }
    }
  }

  private static func areSame(_ models: [APIDocument], _ peers: [ChosenPeer]) -> Bool {
    models.count == peers.count && zip(models, peers).allSatisfy { $0.isSame(as: $1.document) }
  }
}
