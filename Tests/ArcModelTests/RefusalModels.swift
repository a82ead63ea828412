import Arc
import ArcJSON
import ArcModel
import Foundation

/// A code of two letters. It refuses other strings.
struct RefusalCode: ArchivableByConversion, Hashable {
  let text: String
  init(_ text: String) { self.text = text }
  var archivedForm: String { text }
  init(archivedForm: String) throws {
    guard archivedForm.utf8.count == 2 else {
      throw ArchiveError(.valueOutOfRange, found: "the code '\(archivedForm)'", expected: "two letters")
    }
    text = archivedForm
  }
}

/// A pair of numbers that is archived as an array. It refuses arrays with an error of the program.
struct RefusalPair: ArchivableByConversion, Equatable {
  let (low, high): (Int, Int)
  init(_ low: Int, _ high: Int) { (self.low, self.high) = (low, high) }
  var archivedForm: [Int] { [low, high] }
  init(archivedForm: [Int]) throws {
    guard archivedForm.count == 2, archivedForm[0] <= archivedForm[1] else { throw RefusalPairError() }
    self.init(archivedForm[0], archivedForm[1])
  }
}

struct RefusalPairError: Error, CustomStringConvertible { var description: String { "a pair in order" } }

enum RefusalRank: String, ArchivableValue { case low, high }

/// A type with a raw value that is an array.
struct RefusalTags: RawRepresentable, ArchivableValue, Equatable {
  let rawValue: [String]
  init?(rawValue: [String]) {
    if rawValue.isEmpty { return nil }
    self.rawValue = rawValue
  }
}

@Archivable("RefusalRecord") struct RefusalRecord: Equatable {
  var name = ""
  var codes: [RefusalCode] = []
  var letter: Character = "a"
}

@Archivable("RefusalItem") final class RefusalItem: ModelEquatable {
  var id = 0
  init() {}
}

@Archivable("RefusalBox") final class RefusalBox {
  var code: RefusalCode?
  var codes: [RefusalCode] = []
  var byCode: [RefusalCode: Int] = [:]
  var links: [URL] = []
  var prices: [Decimal] = []
  var letters: [Character] = []
  var pairs: [RefusalPair] = []
  var numbers: Set<Int> = []
  var words: Set<String> = []
  var byNumber: [Int: String] = [:]
  var byReal: [Double: String] = [:]
  var byFlag: [Bool: String] = [:]
  var byRank: [RefusalRank: String] = [:]
  var tags: [RefusalTags] = []
  var records: [String: RefusalRecord] = [:]
  var items: Set<RefusalItem> = []
  var level: Int8 = 1
  init() {}
}
