// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc
import ArcImport
import Foundation

// The article shows the following lines.

@Archivable final class Borrower {
  var id = ""
  var name = ""
  var joined: Date?
  @Key("inviter", "invited_by") weak var inviter: Borrower?
  init() {}
}
@Archivable final class Loan {
  var title = ""
  var member: Borrower?
  var fee = 0.0
  init() {}
}

func readBorrowers(_ url: URL) throws -> [Borrower] {
  try ArchiveImporter().read([Borrower].self, from: ImportTable(url))
}

func readLoans(_ membersURL: URL, _ loansURL: URL) throws -> [Loan] {
  try ArchiveImporter().read(
    [Loan].self,
    from: [ImportTable(loansURL, rows: Loan.self), ImportTable(membersURL, rows: Borrower.self)],
    joins: [
      TableJoin("member", of: "Loan", to: "id", of: "Borrower"),
      TableJoin("invited_by", of: "Borrower", to: "id", of: "Borrower"),
    ])
}

func readFile(_ url: URL) throws -> [Borrower] {
  let borrowers = try ArchiveImporter().read([Borrower].self, from: ImportTable(url))
  return borrowers
}

func readItems(_ url: URL) throws -> [Loan] {
  let table = ImportTable(url, .json, options: TableOptions(path: "data.items"))
  return try ArchiveImporter().read([Loan].self, from: table)
}

func convertTables(_ membersURL: URL, _ loansURL: URL) throws -> [UInt8] {
  let (archive, report) = try ArchiveImporter().archive(
    from: [ImportTable(membersURL), ImportTable(loansURL)],
    joins: [TableJoin("member", of: "loans", to: "id", of: "members")])
  for note in report.notes { print(note.kind.text, note.count, note.example) }
  return archive
}

func tableOptions() -> TableOptions {
  var options = TableOptions(separator: ";", encoding: .windows1252)
  options.nullTexts = ["NA"]
  return options
}

// The article shows the lines above.

/// Runs the second example of the article in an empty folder. Returns what the article shows.
func runTables(in folder: URL) throws -> String {
  func file(_ name: String, _ text: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url
  }
  let members = try file("members.csv", "id,name,invited_by\n007,Ann,\n008,Bob,007\n")
  let loans = try file("loans.csv", "title;member;fee\nDune;008;1.10\nEmma;007;0.5\nUlysses;;2\n")
  return try readLoans(members, loans)
    .map { "\($0.title): \($0.member?.name ?? "nobody"), invited by \($0.member?.inviter?.name ?? "nobody")" }
    .joined(separator: "\n")
}
