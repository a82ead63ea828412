import Foundation

/// JSON texts of many objects for each feature of the mapping. The texts are equal in every run.
enum FeatureTexts {
  /// A function that returns a member with its name. Nil if the object has no such member.
  ///
  /// The arguments are the number of the object and the value in an object without features.
  typealias Member = (_ id: Int, _ value: String) -> String?

  /// Returns an array of objects with six members, some of which a feature replaces. All other members are
  /// independent of the replaced members.
  static func objects(
    _ count: Int, id: Member = { #""id":\#($1)"# }, note: Member = { #""note":\#($1)"# },
    tags: Member = { #""tags":\#($1)"# }, more: Member = { _, _ in nil }
  ) -> String {
    var random = SeededGenerator(seed: 5)
    var text = "["
    for number in 0..<count {
      let name = Words.personName(&random)
      let score = Double(random.index(below: 100_000)) / 100
      let isActive = random.chance(percent: 50)
      let sentence = Words.sentence(words: 2...6, &random)
      let words = (0..<random.index(below: 4)).map { _ in "\"\(random.pick(Words.common))\"" }
      let members: [String?] = [
        id(number, "\(number)"), #""name":"\#(name)""#, #""score":\#(score)"#, #""isActive":\#(isActive)"#,
        note(number, "\"\(sentence)\""), tags(number, "[\(words.joined(separator: ","))]"), more(number, ""),
      ]
      text += (number == 0 ? "{" : ",{") + members.compactMap { $0 }.joined(separator: ",") + "}"
    }
    return text + "]"
  }

  /// Returns documents of a shop. Seven of ten are orders, all others are refunds.
  static func documents(_ count: Int) -> String {
    var random = SeededGenerator(seed: 6)
    var text = "["
    for number in 0..<count {
      let isOrder = random.chance(percent: 70)
      let lines = (0..<1 + random.index(below: 3)).map { _ in line(&random) }
      let (type, id) = (isOrder ? "order" : "refund", 505_874_924_095_815_681 + number)
      var members: [String] = [
        #""type":"\#(type)""#, #""id":\#(id)"#,
        #""created":"\#(date(number).ISO8601Format())""#, #""link":"\#(link(number))""#,
        #""status":"\#(state(number).rawValue)""#, #""total":\#(price(number))"#,
        #""position":\#(json(of: position(number)))"#, #""lines":[\#(lines.joined(separator: ","))]"#,
      ]
      if isOrder {
        members.append(#""customer":"\#(Words.personName(&random))""#)
        members.append(#""isPaid":\#(random.chance(percent: 50))"#)
      } else {
        members.append(#""reason":"\#(Words.sentence(words: 2...6, &random))""#)
        members.append(#""refunded":"\#(date(number + 1).ISO8601Format())""#)
      }
      text += (number == 0 ? "{" : ",{") + members.joined(separator: ",") + "}"
    }
    return text + "]"
  }

  /// Returns a line of an order or a refund.
  private static func line(_ random: inout SeededGenerator) -> String {
    let code = "\(random.pick(Words.common))-\(random.index(below: 900))"
    let price = Double(random.index(below: 10_000)) / 100
    return #"{"code":"\#(code)","count":\#(1 + random.index(below: 9)),"price":\#(price)}"#
  }
}

// The values of features depend only on the number of the object, so that each object can be checked.

extension FeatureTexts {
  /// Returns a random number that depends only on `seed`.
  static func number(_ seed: Int, below bound: Int) -> Int {
    var random = SeededGenerator(seed: UInt64(seed))
    return random.index(below: bound)
  }

  static func state(_ id: Int) -> ItemState { ItemState.allCases[number(id, below: 4)] }

  static func position(_ seed: Int) -> ItemPosition {
    ItemPosition(
      latitude: Double(410_000 + number(seed, below: 420_000)) / 10_000,
      longitude: Double(-1_410_000 + number(seed + 1, below: 890_000)) / 10_000,
      label: Words.universities[number(seed + 2, below: Words.universities.count)])
  }

  /// Returns two or three positions.
  static func positions(_ id: Int) -> [ItemPosition] {
    (0..<2 + number(id, below: 2)).map { position(id * 3 + $0) }
  }

  /// Returns the JSON of a position.
  static func json(of position: ItemPosition) -> String {
    #"{"latitude":\#(position.latitude),"longitude":\#(position.longitude),"label":"\#(position.label)"}"#
  }

  /// Returns a date in whole seconds.
  static func date(_ id: Int) -> Date {
    Date(timeIntervalSince1970: Double(1_400_000_000 + number(id, below: 400_000_000)))
  }

  /// Returns a time in milliseconds, a multiple of 250 ms, which a `Double` in seconds represents exactly.
  static func milliseconds(_ id: Int) -> Int {
    (1_400_000_000 + number(id, below: 400_000_000)) * 1000 + number(id, below: 4) * 250
  }

  static func link(_ id: Int) -> String {
    "https://example.org/items/\(number(id, below: 1_000_000))?page=\(id)"
  }

  /// Returns the digits of a price. The last digit is not 0, because no writer would write a final 0.
  static func price(_ id: Int) -> String { "\(number(id, below: 10_000)).\(number(id + 1, below: 10))5" }

  static func size(_ id: Int) -> Int { number(id, below: 1000) }

  /// Returns a UUID in upper-case letters.
  static func uuid(_ id: Int) -> String {
    var random = SeededGenerator(seed: UInt64(id))
    let digits = Array(String(format: "%016lX%016lX", UInt(random.next()), UInt(random.next())))
    let bounds = [0, 8, 12, 16, 20, 32]
    return zip(bounds, bounds.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
  }

  static func counts(_ id: Int) -> [String: Int] {
    ["read": size(id), "written": size(id + 1), "shared": size(id + 2)]
  }

  static func postcode(_ id: Int) -> Int { 10_000 + number(id, below: 89_999) }

  /// Returns the level in a text. Nil if the text omits it.
  static func level(_ id: Int) -> Int? {
    let level = number(id, below: 20)
    return level < 10 ? level : nil
  }

  /// Whether an object has the variant that half of the objects have.
  static func isChosen(_ id: Int) -> Bool { number(id, below: 2) == 0 }
}
