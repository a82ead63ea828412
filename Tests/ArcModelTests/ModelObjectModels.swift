import Arc
import ArcModel
import Foundation

@Archivable("ModelObjectUser") class Account {
  let id: Int
  var name = "none"
  var email: String?
  var address: Street?
  var friends: [Account] = []
  var level: AccountLevel = .low
  weak var chief: Account?
  private(set) var changeCount = 0
  @Transient var observed: [String] = []
  var motto = "" { didSet { observed.append(motto) } }

  init(id: Int) { self.id = id }
}

@Archivable("ModelObjectStreet") final class Street {
  var street = ""
  var city = ""
  init(street: String = "", city: String = "") { (self.street, self.city) = (street, city) }
}

enum AccountLevel: String, ArchivableValue { case low, high }

@Archivable("ModelObjectAdmin") final class AdminAccount: Account { var rights: Set<String> = [] }

extension Account: ModelEquatable {}

@Archivable("ModelObjectOrder") final class Invoice {
  var number = 0
  var lines: [String] = []
  init(number: Int, lines: [String] = []) { (self.number, self.lines) = (number, lines) }
}

extension Invoice: ModelEquatable, ModelFinishing {
  static var comparedProperties: [String] { ["number"] }

  func didRead() throws { if number < 0 { throw NegativeNumber() } }
}

struct NegativeNumber: Error {}
