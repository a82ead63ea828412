import Arc
import Foundation

// Classes of rows that are imported from tables.

@Archivable final class TablePerson {
  var id = ""
  var name = ""
  var age: Int?
  var height = 0.0
  @Key("isMember", "member") var isMember = false
  var joined: Date?
  var code: UUID?
  var balance: Decimal?
  /// The person who invited this person, by `id`.
  @Key("inviter", "invited_by") weak var inviter: TablePerson?
  init() {}
}

@Archivable final class TableOrder {
  var number = 0
  var buyer: TablePerson?
  var total = 0.0
  init() {}
}

@Archivable final class TableAddress {
  var street = ""
  init() {}
}

@Archivable final class TableCustomer {
  var name = ""
  var address: TableAddress?
  var tags: [String] = []
  var scores: [Double] = []
  var others: [TableAddress] = []
  init() {}
}
