import Arc
import ArcModel
import Foundation

extension PersonModel: ModelEquatable {}

/// Operations on one object at a time, such as a request to a server or an edited object.
struct SingleModels {
  /// The operations and their implementations. Arc's is the first, and the second is compared with it.
  let contests: [(name: String, implementations: [ModelWorkload.Implementation])]
  let count: Int

  init(count: Int) throws {
    let text = ModelTexts.people(bytes: count * 200)
    let people = Array(try [PersonModel](json: text).prefix(count))
    let others = Array(try [PersonModel](json: text).prefix(count))
    let texts = try people.map { try ModelWriter().bytes(of: $0) }
    let data = texts.map { Data($0) }
    let peers = try data.map { try JSONDecoder().decode(PersonPeer.self, from: $0) }
    self.count = people.count
    let walk = WalkMemory(capacity: people.count)
    contests = [
      (
        "read",
        [
          .init(name: "Arc") { try texts.map { try PersonModel(json: $0) } },
          .init(name: "JSONDecoder") {
            try data.map { try JSONDecoder().decode(PersonPeer.self, from: $0) }
          },
        ]
      ),
      (
        "update",
        [
          .init(name: "Arc") { try zip(people, texts).map { try $0.update(json: $1) } },
          .init(name: "reading anew") { try texts.map { try PersonModel(json: $0) } },
        ]
      ),
      (
        "write",
        [
          .init(name: "Arc") { try people.map { try $0.json() } },
          .init(name: "JSONEncoder") { try peers.map { try JSONEncoder().encode($0) } },
        ]
      ),
      (
        "copy",
        [
          .init(name: "Arc") { try people.map { try $0.shallowCopy() } },
          .init(name: "by hand") { people.map(\.copiedByHand) },
        ]
      ),
      (
        "compare",
        [
          .init(name: "Arc") { zip(people, others).allSatisfy { $0 == $1 } },
          .init(name: "by hand") { zip(people, others).allSatisfy { $0.isEqualByHand(to: $1) } },
        ]
      ),
      (
        "compare all as",
        [
          .init(name: "Arc") { try ObjectGraph.isIsomorphic(people, others) },
          .init(name: "two walks") { walk.isSame(people, others) },
        ]
      ),
    ]
  }
}

extension WalkMemory {
  /// Whether two graphs have equal digests.
  fileprivate func isSame(_ ones: [PersonModel], _ others: [PersonModel]) -> Bool {
    digest(ones) == digest(others)
  }
}

extension PersonModel: Walkable {
  /// Reads the address with its person, because nothing else refers to the address.
  @inline(__always) func visit(_ walk: inout Walk) {
    walk.digest.fold(id)
    walk.digest.fold(name)
    walk.digest.fold(email)
    walk.digest.fold(active)
    walk.digest.fold(score)
    for tag in tags { walk.digest.fold(tag) }
    guard let address else { return }
    walk.digest.fold(address.street)
    walk.digest.fold(address.city)
    walk.digest.fold(address.zip)
  }
}

extension PersonModel {
  fileprivate var copiedByHand: PersonModel {
    let copy = PersonModel()
    (copy.id, copy.name, copy.email, copy.active) = (id, name, email, active)
    (copy.score, copy.tags, copy.address) = (score, tags, address)
    return copy
  }

  fileprivate func isEqualByHand(to other: PersonModel) -> Bool {
    id == other.id && name == other.name && email == other.email && active == other.active
      && score == other.score && tags == other.tags && address?.street == other.address?.street
      && address?.city == other.address?.city && address?.zip == other.address?.zip
  }
}
