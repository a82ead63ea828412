import Arc
import ArcModel
import Foundation

/// Calls that read or write a single person, with readers and writers that are reused or created for each
/// call.
struct ModelCalls {
  let readers: [ModelWorkload.Implementation]
  let writers: [ModelWorkload.Implementation]
  /// The number of calls of each implementation.
  let count: Int
  /// Throws if a call reads another person than was written.
  let verify: () throws -> Void

  init(count: Int) throws {
    let people = Array(try [PersonModel](json: ModelTexts.people(bytes: count * 200)).prefix(count))
    self.count = people.count
    let (reader, writer) = (ModelReader(), ModelWriter())
    let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
    let texts = try people.map { try writer.bytes(of: $0) }
    let data = texts.map { Data($0) }
    let peers = try data.map { try decoder.decode(PersonPeer.self, from: $0) }
    readers = [
      ModelWorkload.Implementation(name: "ModelReader, kept") {
        try texts.map { try reader.read(PersonModel.self, from: $0) }
      },
      ModelWorkload.Implementation(name: "ModelReader, for each call") {
        try texts.map { try ModelReader().read(PersonModel.self, from: $0) }
      },
      ModelWorkload.Implementation(name: "Person(json:)") { try texts.map { try PersonModel(json: $0) } },
      ModelWorkload.Implementation(name: "JSONDecoder, kept") {
        try data.map { try decoder.decode(PersonPeer.self, from: $0) }
      },
    ]
    writers = [
      ModelWorkload.Implementation(name: "ModelWriter, kept") { try people.map { try writer.bytes(of: $0) } },
      ModelWorkload.Implementation(name: "ModelWriter, for each call") {
        try people.map { try ModelWriter().bytes(of: $0) }
      },
      ModelWorkload.Implementation(name: "person.json(isPretty: true)") {
        try people.map { try $0.json(isPretty: true) }
      },
      ModelWorkload.Implementation(name: "JSONEncoder, kept") { try peers.map { try encoder.encode($0) } },
    ]
    verify = {
      for (index, person) in people.enumerated() {
        let one = try reader.read(PersonModel.self, from: texts[index])
        let other = try PersonModel(json: person.json(isPretty: true))
        guard one == person, other == person, peers[index].id == person.id else {
          throw WrongResult(description: "calls: person \(person.id) is read as another")
        }
      }
    }
  }
}
