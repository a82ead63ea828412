// Reads a list of small loans: required and optional members, a report of all missing members, names by a
// rule, and types that validate their values. This is the example of JSONModel, reversed: a property
// without an initial value is required, and all others are optional.

import Arc
import ArcModel
import Claims
import Foundation

@Archivable struct Place {
  var countryCode: String
  var country: String
  var town: String?
}

@Archivable final class Loan {
  let id: Int
  let name: String
  var status = "fundraising"
  var use: String?
  var loanAmount: Amount
  var fundedAmount = Amount(cents: 0)
  var postedDate: Date?
  var location: Place
  var tags: Set<String> = []

  var percentFunded: Int { fundedAmount.cents * 100 / max(loanAmount.cents, 1) }

  init(id: Int, name: String, loanAmount: Amount, location: Place) {
    (self.id, self.name, self.loanAmount, self.location) = (id, name, loanAmount, location)
  }
}

@Archivable final class LoanList { var loans: [Loan] = [] }

/// An amount of money, which is a number in JSON and is never negative.
struct Amount: Equatable, ArchivableByConversion {
  let cents: Int
  init(cents: Int) { self.cents = cents }

  var archivedForm: Decimal { Decimal(cents) / 100 }
  init(archivedForm form: Decimal) throws {
    guard form >= 0 else {
      throw ArchiveError(.valueOutOfRange, found: "\(form)", expected: "an amount that is not negative")
    }
    cents = NSDecimalNumber(decimal: form * 100).intValue
  }
}

let text = """
  {
    "paging": {"page": 1, "total": 2},
    "loans": [
      {"id": 2930713, "name": "Marleny", "use": "to buy a cow", "loan_amount": 1250.5, "funded_amount": 625.25,
       "posted_date": "2025-05-01T08:00:00Z", "tags": ["farm", "women"],
       "location": {"country_code": "CO", "country": "Colombia", "town": "Nariño"}},
      {"id": 2930714, "name": "Kaveri", "loan_amount": 300,
       "location": {"country_code": "IN", "country": "India"}}
    ]
  }
  """

let reader = ModelReader(naming: .snakeCase)

/// Returns all issues of a loan.
func issues(of text: String, _ reader: ModelReader) -> [ModelIssue] {
  do { return try reader.readWithIssues(Loan.self, from: text).issues } catch {
    return (error as? ModelReadingError)?.issues ?? []
  }
}

example("Loans") {
  let list = try reader.read(LoanList.self, from: text)
  for loan in list.loans {
    print(
      "  \(loan.name), \(loan.location.country), \(loan.percentFunded) % of \(loan.loanAmount.archivedForm)")
  }
  claim("constant properties are read", list.loans.map(\.id) == [2_930_713, 2_930_714])
  claim("what is not sent has its initial value", list.loans[1].status == "fundraising")
  claim("what may be nil is nil", list.loans[1].use == nil && list.loans[1].location.town == nil)
  claim("an amount is exact", list.loans[0].fundedAmount == Amount(cents: 62_525))
}

example("All that a loan lacks, at once") {
  let missing = issues(of: #"{"id": 1, "location": {"country": "Peru", "country_code": "PE"}}"#, reader)
  for issue in missing { print("  \(issue)") }
  claim("two members", missing.map(\.path) == ["name", "loan_amount"])
  claim("with a code", missing.allSatisfy { $0.code == .missingKey })
  let inner = issues(of: #"{"id": 1, "name": "x", "loan_amount": 5, "location": {"town": "Nariño"}}"#, reader)
  claim("inside too, each with its path", inner.map(\.path) == ["location.country_code", "location.country"])
}

example("Values that their types refuse") {
  let place = #""name": "x", "location": {"country": "Peru", "country_code": "PE"}"#
  for (members, path) in [
    (#""id": 1, "loan_amount": -5"#, "loan_amount"), (#""id": "1", "loan_amount": 5"#, "id"),
    (#""id": 1.5, "loan_amount": 5"#, "id"), (#""id": 99999999999999999999, "loan_amount": 5"#, "id"),
  ] {
    let issues = issues(of: "{\(place), \(members)}", reader)
    for issue in issues { print("  line \(issue.line), column \(issue.column): \(issue)") }
    claim("refused: \(path)", issues.map(\.path) == [path])
  }
}

example("Written") {
  let list = try reader.read(LoanList.self, from: text)
  let written = try list.json(sortsKeys: true, naming: .snakeCase)
  print("  \(written)")
  let copy = try reader.read(LoanList.self, from: written)
  claim("with the names of the server, and read again the same", try ObjectGraph.isIsomorphic(list, copy))
}
