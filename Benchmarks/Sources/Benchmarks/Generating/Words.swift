/// Plausible texts from fixed lists, so that names, sentences and identifiers have realistic lengths and
/// letters.
enum Words {
  static let givenNames = [
    "Mia", "Emma", "Olivia", "Benjamin", "Elijah", "Charlotte", "Alexander", "Theodore", "Josephine",
    "Rosalind",
    "Ada", "Grace", "Edsger", "Barbara", "Donald", "Katherine", "Margaret", "Niklaus", "Frances", "Leslie",
  ]
  static let familyNames = [
    "Smith", "Lovelace", "Hopper", "Dijkstra", "Liskov", "Montgomery", "Fitzgerald", "Abernathy", "Blackwood",
    "Carmichael", "Davenport", "Featherstone", "Goldsmith", "Hawthorne", "Kensington", "Lee", "Ng",
    "Papadakis",
  ]
  /// Names with letters outside ASCII, in scripts with two and three bytes per letter.
  static let givenNamesBeyondASCII = [
    "Zoë", "Łukasz", "Søren", "José", "Наталья", "Ελένη", "美咲", "Ðorđe", "Çağla",
  ]
  static let familyNamesBeyondASCII = [
    "Müller", "Křížová", "Ångström", "Señorans", "Достоевский", "Παπαδόπουλος", "田中", "Þórsdóttir", "Yılmaz",
  ]
  static let common = [
    "the", "quick", "library", "of", "graph", "and", "objects", "which", "written", "once", "is", "read",
    "many",
    "times", "with", "little", "memory", "for", "every", "platform", "a", "development", "files", "shared",
    "runtime", "tools", "support", "simple", "documentation", "common", "interface", "to", "data", "small",
  ]
  static let companies = [
    "Northwind Traders", "Contoso", "Fabrikam", "Acme Corporation", "Initech", "Globex",
  ]
  static let titles = [
    "engineer", "senior engineer", "accountant", "head of department", "clerk", "technical writer", "janitor",
  ]
  static let universities = [
    "University of Cambridge", "ETH Zürich", "Massachusetts Institute of Technology", "Universität Wien",
    "Kyoto University", "Universidad de Chile", "TU Delft",
  ]

  /// Returns a given name and a family name. One name in ten is not ASCII.
  static func personName(_ random: inout SeededGenerator) -> String {
    random.chance(percent: 10)
      ? random.pick(givenNamesBeyondASCII) + " " + random.pick(familyNamesBeyondASCII)
      : random.pick(givenNames) + " " + random.pick(familyNames)
  }

  /// Returns some words with a full stop. One sentence in ten has a word outside ASCII.
  static func sentence(words: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
    var text = random.chance(percent: 10) ? random.pick(givenNamesBeyondASCII) : "It"
    for _ in 0..<Int.random(in: words, using: &random) {
      text += " "
      text += random.pick(common)
    }
    return text + "."
  }

  /// Returns words and a number, joined by hyphens, such as `graph-tools-17`. Different numbers give
  /// different texts.
  static func identifier(words: ClosedRange<Int>, number: Int, _ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: words, using: &random) { text += random.pick(common) + "-" }
    return text + String(number)
  }
}
