import ArcRuntime
import ArcTestSupport
import Foundation
import XCTest

/// Random changes of the encodings that compilers write. `ARC_MUTATIONS` sets the number of changes,
/// `ARC_SEED` repeats a run.
final class EncodingFuzzTests: XCTestCase {
  func testFuzzedEncodingsNeverTrapOrBreakInvariants() throws {
    let count = RandomTrials.count(usually: 1_000, exhaustively: 20_000)
    let seed = RandomTrials.seed()
    var mutator = EncodingMutator(corpus: try Self.corpus(), generator: SplitMix64(seed: seed))
    var parsedCount = 0
    for _ in 0..<count {
      let text = mutator.next()
      if let claim = EncodingClaims.violation(by: text) {
        return XCTFail("'\(claim)' does not hold for \(text.debugDescription), seed \(seed)")
      }
      if (try? ObjectiveCEncoding(parsing: text)) != nil { parsedCount += 1 }
    }
    print("\(parsedCount) of \(count) strings parsed")
    XCTAssertGreaterThan(parsedCount, count / 20, "the generator no longer makes encodings")
  }

  private static func corpus() throws -> [[UInt8]] {
    struct Line: Decodable { let encoding: String }
    let url = Repository.fixtures.appendingPathComponent("encodings.jsonl")
    let decoder = JSONDecoder()
    return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map {
      Array(try decoder.decode(Line.self, from: $0).encoding.utf8)
    }
      + ["$[$?q]", "$<@\"NSString\":$[i]>", "$(E=\"a\"{?=\"\"d}\"b\")", "$~@\"P\"", "![16,16f]"].map {
        Array($0.utf8)
      }
  }
}

/// A generator of new strings from old strings: it changes bytes, truncates, repeats and joins.
private struct EncodingMutator {
  let corpus: [[UInt8]]
  var generator: SplitMix64

  private static let alphabet = Array(
    "cislqtCSILQTfdDBv*@#:?%^bAjrnNoORV+|![](){}<>=\"',-0123456789$~& TGP\\_x".utf8)

  mutating func next() -> String {
    guard !corpus.isEmpty, number(below: 8) > 0 else { return randomText() }
    var bytes = corpus[number(below: corpus.count)]
    for _ in 0...number(below: 4) { change(&bytes) }
    return String(decoding: bytes.prefix(4_096), as: UTF8.self)
  }

  private mutating func number(below count: Int) -> Int {
    Int.random(in: 0..<max(count, 1), using: &generator)
  }

  private mutating func randomText() -> String {
    let isWord = number(below: 4) > 0
    let bytes = (0..<number(below: 40)).map { _ in
      isWord ? Self.alphabet[number(below: Self.alphabet.count)] : UInt8(truncatingIfNeeded: generator.next())
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let start = number(below: bytes.count + 1)
    let end = min(bytes.count, start + number(below: 12))
    switch number(below: 6) {
    case 0: bytes.removeSubrange(start..<end)
    case 1: bytes.insert(Self.alphabet[number(below: Self.alphabet.count)], at: start)
    case 2: if start < bytes.count { bytes[start] = Self.alphabet[number(below: Self.alphabet.count)] }
    case 3: bytes.insert(contentsOf: bytes[start..<end], at: number(below: bytes.count + 1))
    case 4:
      let other = corpus[number(below: corpus.count)]
      bytes = Array(bytes[..<start] + other[number(below: other.count)...])
    default:
      let piece = Array(bytes[start..<end])
      for _ in 0..<number(below: 40) { bytes.insert(contentsOf: piece, at: start) }
    }
  }
}
