import Arc
import ArcJSON
import ArcModel
import Foundation

// The documents that the API of a shop sends: classes for Arc, and classes for `Codable`.

/// An order or a refund.
@Archivable class APIDocument {
  var type = ""
  var id: Int64 = 0
  var created = Date(timeIntervalSinceReferenceDate: 0)
  var link: URL?
  var status = ItemState.draft
  var total: Decimal = 0
  var position = ItemPosition(latitude: 0, longitude: 0, label: "")
  var lines: [APILine] = []
  init() {}
}

@Archivable final class APIOrder: APIDocument {
  var customer = ""
  var isPaid = false
}

@Archivable final class APIRefund: APIDocument {
  var reason: String?
  var refunded: Date?
}

@Archivable final class APILine {
  var code = ""
  var count = 0
  var price = 0.0
}

extension APIDocument: JSONClassChoosing {
  static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    switch object["type"]?.string {
    case "order": APIOrder.self
    case "refund": APIRefund.self
    default: nil
    }
  }
}

class DocumentPeer: Codable {
  let type: String
  let id: Int64
  let created: Date
  let link: URL?
  let status: StatePeer
  let total: Decimal
  let position: PositionPeer
  let lines: [LinePeer]
}

enum StatePeer: String, Codable { case draft, open, merged, closed }

struct PositionPeer: Codable {
  let latitude: Double
  let longitude: Double
  let label: String
}

final class LinePeer: Codable {
  let code: String
  let count: Int
  let price: Double
}

// Swift does not generate `Codable` for a subclass.

final class OrderPeer: DocumentPeer {
  let customer: String
  let isPaid: Bool

  private enum Key: String, CodingKey { case customer, isPaid }

  required init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    customer = try members.decode(String.self, forKey: .customer)
    isPaid = try members.decode(Bool.self, forKey: .isPaid)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(customer, forKey: .customer)
    try members.encode(isPaid, forKey: .isPaid)
  }
}

final class RefundPeer: DocumentPeer {
  let reason: String?
  let refunded: Date?

  private enum Key: String, CodingKey { case reason, refunded }

  required init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    reason = try members.decodeIfPresent(String.self, forKey: .reason)
    refunded = try members.decodeIfPresent(Date.self, forKey: .refunded)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var members = encoder.container(keyedBy: Key.self)
    try members.encodeIfPresent(reason, forKey: .reason)
    try members.encodeIfPresent(refunded, forKey: .refunded)
  }
}

/// A document whose member `type` determines its class.
struct ChosenPeer: Codable {
  let document: DocumentPeer

  private enum Key: String, CodingKey { case type }

  init(from decoder: any Decoder) throws {
    let type = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .type)
    switch type {
    case "order": document = try OrderPeer(from: decoder)
    case "refund": document = try RefundPeer(from: decoder)
    default: document = try DocumentPeer(from: decoder)
    }
  }

  func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }
}

extension APIDocument {
  /// Whether a peer was read from the same JSON.
  func isSame(as peer: DocumentPeer) -> Bool {
    let isSameClass = (self is APIOrder) == (peer is OrderPeer) && (self is APIRefund) == (peer is RefundPeer)
    return isSameClass && id == peer.id && created == peer.created && link == peer.link
      && status.rawValue == peer.status.rawValue && position.latitude == peer.position.latitude
      && lines.map(\.code) == peer.lines.map(\.code) && lines.map(\.price) == peer.lines.map(\.price)
  }
}
