import ArcTestSupport
import Foundation
import XCTest

/// The claims of the fuzzer hold for its seed inputs and for all inputs that differ in one byte.
final class ModelClaimsTests: XCTestCase {
  /// A small text of each kind that `ModelClaims` reads.
  private static let smallTexts = [
    #"a{"id":1,"desk":"d","boss":{"id":2,"desk":""}}"#, #"b{"int8":12,"twice":null,"tuple":[1,"x"]}"#,
    #"c{"plain":"2001-01-31T12:00:00.5Z","seconds":1.5}"#, #"d{"spots":[{"x":1}],"flags":{"1":true}}"#,
    #"e{"shape":{"pair":[1,"a"]},"tags":[{"kind":"inner","_0":{"kind":"none"}}]}"#,
    ##"f{"is_active":true,"uid":7,"color":"#1F","member":{"is_active":false}}"##,
    #"g{"kind":"disc","parts":[{"kind":"draft","cost":"5"}]}"#, #"h{"price":3,"next":{"name":"n"}}"#,
    #"i{"loose":{"a":{"a":1,"c":"x"},"b":2}}"#, #"j{"a":[1,-2.5e1,"\u00e9"]}"#, #"k[{"id":1},null]"#,
    #"o[{"name":"\u00e9","count":2,"inner":{"name":"","count":0,"more":[]},"more":[0.5],"x":{"y":[]}}]"#,
    #"l{"nested":{"many":["empty"]}}"#, #"m{"a":{"kind":"disc"}}"#, #"n[[{"x":1},["empty",{"count":1}]]]"#,
  ]

  /// A text that a hook refuses after reading.
  private static let refusedText = #"h{"price":3,"next":{"name":"bad"}}"#

  func testFuzzerSeedsAndTheirPrefixesSatisfyAllInvariants() throws {
    let folder = Repository.root.appendingPathComponent("Tests/Fuzzers/models")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    XCTAssertGreaterThanOrEqual(names.count, 14)
    for name in names {
      let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
      XCTAssertNil(ModelClaims.refusal(of: bytes), name)
      let prefixCounts = stride(from: bytes.count - 1, to: 0, by: -1)
      for count in [bytes.count] + RandomTrials.sample(of: prefixCounts, oneIn: 12) {
        if let claim = ModelClaims.violation(by: Array(bytes.prefix(count))) {
          return XCTFail("\(name), \(count) bytes: \(claim)")
        }
      }
    }
  }

  func testTruncatedAndChangedJSONSatisfiesAllModelClaims() {
    // Trying all bytes takes minutes in a debug build. A usual run tries every sixth of these bytes at each
    // offset, in turn.
    let usual = Array("\"\\{}[],:0129-+.eEnutxTZ \u{0}\n\u{7F}".utf8) + [0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
    let triesAll = RandomTrials.count(usually: 1) > 1
    for text in Self.smallTexts + [Self.refusedText] {
      let bytes = Array(text.utf8)
      let refusal = ModelClaims.refusal(of: bytes)
      XCTAssertEqual(
        refusal != nil, text == Self.refusedText, "\(text): \(refusal.map(String.init(describing:)) ?? "")")
      let places = bytes.indices.dropFirst()
      for place in triesAll ? Array(places) : RandomTrials.sample(of: places, oneIn: 12) {
        if let claim = ModelClaims.violation(by: Array(bytes.prefix(place))) {
          return XCTFail("\(text), \(place) bytes: \(claim)")
        }
        let changes =
          triesAll ? Array(0...255) : stride(from: place % 6, to: usual.count, by: 6).map { usual[$0] }
        for change in changes {
          var changed = bytes
          changed[place] = change
          if let claim = ModelClaims.violation(by: changed) {
            return XCTFail("\(text), byte \(place) as \(change): \(claim)")
          }
        }
      }
    }
  }
}
