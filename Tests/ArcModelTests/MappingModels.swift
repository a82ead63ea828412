import Arc
import ArcJSON
import ArcModel
import Foundation

/// A customer in the JSON of two servers.
@Archivable("MappingCustomer") class Customer {
  @Key("number", json: "user.id", or: "uid", "ids[1]") var id = 0
  @Key(json: "user.name") var name = ""
  @Key(json: "user.name") var greeting = ""
  @JSONRule(.required) var isActive = true
  @JSONRule(.omitted) var token = "none"
  @JSONRule(.writeOnly) var total = 1
  @JSONRule(.readOnly) var note: String?
  @JSONFormat(.millisecondsSince1970) var joined: Date?
  @JSONFormat(.rfc1123) var seen: [Date] = []
  @JSONRule(.embedded) var place = Place(street: "", city: "")
  @JSONFormat(
    .custom(
      read: { value in
        guard case .string(let text) = value, text.first == "#", let bits = Int(text.dropFirst(), radix: 16)
        else { throw ColorFormatError(text: "\(value)") }
        return ["red": .number(JSONNumber(bits >> 16)), "green": .number(JSONNumber(bits >> 8 & 255))]
      }, write: { $0 }))
  var color = Tint(red: 1, green: 2)

  init() {}
}

@Archivable("MappingRegular") final class RegularCustomer: Customer { var points = 0 }

struct ColorFormatError: Error, CustomStringConvertible {
  let text: String
  var description: String { "a colour as \"#FF8000\"" }
}

@Archivable("MappingPlace") struct Place: Equatable {
  var street: String
  var city: String
}

@Archivable("MappingTint") struct Tint: Equatable {
  var red: Int
  var green: Int
}

@Archivable("MappingShape") class Figure {
  var name = ""
  init() {}
}

@Archivable("MappingDisc") final class Disc: Figure { var radius = 0.0 }

@Archivable("MappingBox") final class Box: Figure {
  var width = 0.0
  var inner: [Figure] = []
}

extension Figure: JSONClassChoosing {
  static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    switch object["kind"]?.string {
    case "disc": Disc.self
    case "box": Box.self
    case "customer": Customer.self
    default: nil
    }
  }
}

/// A class with marks that its properties cannot have.
@Archivable("MappingMisfit") final class Misfit {
  @JSONRule(.embedded) var count = 0
  init() {}
}

@Archivable("MappingMisfitColor") final class MisfitColor {
  @JSONFormat(.custom(read: { $0 }, write: { $0 })) var figure: Figure?
  init() {}
}

/// A class whose hooks count their calls, and throw if a test requires it.
@Archivable("MappingOrder") class Order {
  var amount = 0
  var currency = ""
  var parts: [Order] = []
  @Transient var readCount = 0
  init() {}
}

extension Order: JSONPreprocessing, ModelFinishing, ModelMapping {
  class var mapping: JSONMapping { JSONMapping(naming: .upperSnakeCase) }

  static func willRead(_ object: inout JSONObject) throws {
    if object["VOID"] != nil { throw OrderError.void }
    if case .string(let text)? = object["PRICE"] {
      let words = text.split(separator: " ")
      object["AMOUNT"] = .number(JSONNumber(Int(words[0]) ?? 0))
      object["CURRENCY"] = .string(String(words[1]))
    }
  }

  func didRead() throws {
    readCount += 1 + parts.reduce(0) { $0 + $1.readCount }
    if amount < 0 { throw OrderError.negative }
  }
}

enum OrderError: Error, CustomStringConvertible {
  case void, negative
  var description: String { self == .void ? "an order that is not void" : "an amount that is not negative" }
}
