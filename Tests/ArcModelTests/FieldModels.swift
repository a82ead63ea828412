import Arc
import ArcJSON
import ArcModel
import Foundation

/// A structure with initial values. A text can omit these fields.
@Archivable("FieldParcel") struct FieldParcel: Equatable {
  var number: Int
  var label = "none"
  var weight: Double? = 1.5
  var note: String?
  var tags: [String] = ["new"]
  var inner: [FieldParcel] = []
}

/// A structure with two fields of its own type. The fields share columns, whose order differs from the order
/// of their names.
@Archivable("FieldTwig") struct FieldTwig: Equatable {
  var right: [FieldTwig] = []
  var left: [FieldTwig] = []
  var size = 0
}

/// A recursive enumeration in which two associated values share one column.
@Archivable("FieldBranch") indirect enum FieldBranch: Equatable {
  case leaf
  case fork(FieldBranch = .leaf, FieldBranch = .leaf)
  case sized(width: Int = 1, height: Int)
}

@Archivable("FieldShelf") final class FieldShelf {
  var parcel = FieldParcel(number: 0)
  var parcels: [FieldParcel] = []
  var named: [String: FieldParcel] = [:]
  var twig = FieldTwig()
  var branch = FieldBranch.leaf
  init() {}
}

/// A structure whose fields have each mark that properties of a class can have.
@Archivable("FieldTicket") struct FieldTicket: Equatable {
  @Key("number", json: "ticket.id", or: "no") var id = 0
  @JSONRule(.required) var title = ""
  @JSONRule(.omitted) var secret = "hidden"
  @JSONRule(.readOnly) var source: String?
  @JSONRule(.writeOnly) var total = 3
  @JSONFormat(.millisecondsSince1970) var issued: Date?
  @JSONFormat(.rfc1123) var seen: [Date] = []
  @JSONRule(.embedded) var size = FieldSize()
  @JSONFormat(
    .custom(
      read: {
        guard case .string(let text) = $0, let number = Int(text, radix: 16) else { throw FieldHexError() }
        return .number(JSONNumber(number))
      },
      write: { value in
        guard case .number(let number) = value, let bits = number.integer(Int.self) else { return value }
        return .string(String(bits, radix: 16))
      }))
  var color = 255
}

struct FieldHexError: Error, CustomStringConvertible { var description: String { "hexadecimal digits" } }

@Archivable("FieldSize") struct FieldSize: Equatable {
  @Key(json: "w") var width = 1
  var maxHeight = 2
}

@Archivable("FieldState") enum FieldState: Equatable {
  @Key("on", json: "active", or: "enabled") case on(sinceYear: Int)
  case switchedOff
}

@Archivable("FieldDesk") final class FieldDesk {
  var ticket: FieldTicket?
  var tickets: [FieldTicket] = []
  var state: FieldState?
  init() {}
}

/// A structure with a naming of its own for members.
@Archivable("FieldNamed") struct FieldNamed: Equatable, ModelMapping {
  var firstName = ""
  var lastName = ""
  var plainNote = ""
  static var mapping: JSONMapping {
    JSONMapping(naming: .kebabCase, paths: ["lastName": ["surname"]], except: ["plainNote"])
  }
}

@Archivable("FieldSpan") struct FieldSpan: Equatable {
  var firstDay = 0
  var lastDay = 0
}

@Archivable("FieldMode") enum FieldMode: Equatable, ModelMapping {
  case verySlow
  case veryFast(topSpeed: Int)
  static var mapping: JSONMapping {
    JSONMapping(naming: .snakeCase, paths: ["verySlow": ["slow", "lame"]])
  }
}

/// A class with a naming that differs from the naming of the structures in it.
@Archivable("FieldOwner") final class FieldOwner: ModelMapping {
  var fullName = FieldNamed()
  var openSpan = FieldSpan()
  @JSONRule(.embedded) var ownSpan = FieldSpan()
  var runMode = FieldMode.verySlow
  init() {}
  class var mapping: JSONMapping { JSONMapping(naming: .snakeCase) }
}

// Structures with marks that fields cannot have.

@Archivable("FieldMisfitEmbedded") struct FieldMisfitEmbedded { @JSONRule(.embedded) var count = 0 }
@Archivable("FieldMisfitDate") struct FieldMisfitDate { @JSONFormat(.iso8601) var count = 0 }
@Archivable("FieldMisfitCase") enum FieldMisfitCase {
  @Key(json: "a.b") case one
  case two
}
@Archivable("FieldMisfitRules") enum FieldMisfitRules: ModelMapping {
  case one, two
  static var mapping: JSONMapping { JSONMapping(except: ["one"]) }
}
@Archivable("FieldMisfitTree") struct FieldMisfitTree {
  @Key(json: "a.b") var count = 0
  var children: [FieldMisfitTree] = []
}
