import Arc
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

/// Random objects round-trip through JSON.
final class RandomModelTests: XCTestCase {
  func testRandomObjectsStayIsomorphicAfterRoundTrip() throws {
    let seed = RandomTrials.seed()
    var random = RandomModels(seed: seed)
    let writers = [
      ModelWriter(), ModelWriter(isPretty: true, escaping: .ascii), ModelWriter(sortsKeys: true),
      ModelWriter(naming: .snakeCase, nulls: .written), ModelWriter(isPretty: true, sortsKeys: true),
    ]
    let depth = RandomTrials.size(usually: 2, exhaustively: 3)
    for trial in 0..<RandomTrials.count(usually: 5, exhaustively: 60) {
      let model = random.object(depth: depth)
      let writer = writers[trial % writers.count]
      let text = try writer.text(of: model)
      let reader = ModelReader(naming: writer.naming)
      let read = try reader.read(AllKinds.self, from: text)
      guard try ObjectGraph.isIsomorphic(model, read) else {
        return XCTFail(
          "\(try ObjectGraph.difference(between: model, and: read).map { "\($0)" } ?? ""), seed \(seed)")
      }
      XCTAssertTrue(try ObjectGraph.isIsomorphic(model, model.shallowCopy()), "copied, seed \(seed)")
    }
  }
}

/// A generator of objects with random values of all kinds. No object is referred to twice.
private struct RandomModels {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func chance() -> Bool { Bool.random(using: &random) }
  private mutating func list<Value>(_ make: (inout RandomModels) -> Value) -> [Value] {
    (0..<number(4)).map { _ in make(&self) }
  }

  private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
    let value = Value.random(in: .min ... .max, using: &random)
    // A number with a random number of bits.
    return [Value.min, .max, 0, value, value >> Value(number(Value.bitWidth))][number(5)]
  }

  private mutating func double() -> Double {
    let bits = Double(bitPattern: random.next())
    return [0, -0.0, 1, 0.1, Double(number(1_000_000)) / 100, bits.isFinite ? bits : 1e300][number(6)]
  }

  private mutating func text() -> String {
    let pieces = [
      "", "a", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "é", "e\u{301}", "😀", "\u{2028}", "\u{7F}", "_0",
      "longer than a word", "1", "null",
    ]
    return (0..<number(6)).map { _ in pieces[number(pieces.count)] }.joined()
  }

  private mutating func date() -> Date {
    let seconds = [
      Double(number(1 << 30)), Double(number(1 << 30)) / 1000, Double.random(in: -1e9...1e9, using: &random),
      Double.random(in: -1...1, using: &random), Double.random(in: -6e10...2.5e11, using: &random), 0,
    ][number(6)]
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private mutating func uuid() -> UUID {
    let (a, b) = (random.next(), random.next())
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * index)) }
    return UUID(
      uuid: (
        byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5), byte(a, 6), byte(a, 7),
        byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3), byte(b, 4), byte(b, 5), byte(b, 6), byte(b, 7)
      ))
  }

  private mutating func url() -> URL? { URL(string: "https://example.org/\(number(100))?q=%C3%A9#f") }

  private mutating func decimal() -> Decimal {
    Decimal(sign: chance() ? .plus : .minus, exponent: number(40) - 20, significand: Decimal(random.next()))
  }

  private mutating func spot() -> Spot { Spot(x: integer(), note: chance() ? text() : nil) }

  private mutating func grade(depth: Int) -> Grade {
    switch number(depth > 0 ? 9 : 8) {
    case 0: .top
    case 1: .marked(integer())
    case 2: .pair(integer(), text())
    case 3: .mixed(integer(), word: text())
    case 4: .table(Dictionary(list { ($0.text(), $0.integer()) }) { $1 })
    case 5: .maybe(chance() ? integer() : nil)
    case 6: .span(from: integer(), to: chance() ? integer() : nil)
    case 7: .spot(spot())
    default: .nested(grade(depth: depth - 1))
    }
  }

  mutating func object(depth: Int) -> AllKinds {
    let all = AllKinds()
    (all.bool, all.int8, all.int16, all.int32) = (chance(), integer(), integer(), integer())
    (all.int, all.int128, all.uint8, all.uint16) = (integer(), integer(), integer(), integer())
    (all.uint32, all.uint64, all.uint128) = (integer(), integer(), integer())
    let float = Float(bitPattern: integer())
    (all.float, all.double) = (float.isFinite ? float : 0.1, double())
    (all.string, all.character) = (text(), text().first ?? "x")
    all.scalar = text().unicodeScalars.last ?? "y"
    (all.date, all.uuid, all.url, all.decimal) = (date(), uuid(), chance() ? url() : nil, decimal())
    all.data = Data((0..<number(9)).map { _ in integer(UInt8.self) })
    all.duration = Duration(
      secondsComponent: integer(Int32.self).magnitude == 0 ? 1 : 5, attosecondsComponent: 7)
    let bounds = [number(100), number(100)].sorted()
    all.range = bounds[0]..<bounds[1]
    all.tuple = (integer(), text())
    all.level = chance() ? .high : nil
    all.spot = chance() ? spot() : nil
    all.spots = list { $0.chance() ? $0.spot() : nil }
    all.grade = grade(depth: 3)
    all.grades = list { $0.grade(depth: 2) }
    all.numbers = list { random in random.list { $0.double() } }
    all.bytes = list { $0.integer() }
    all.words = Set(list { $0.text() })
    all.points = Set(list { $0.spot() })
    all.byName = Dictionary(list { ($0.text(), $0.double()) }) { $1 }
    all.byNumber = Dictionary(list { random in (random.integer(), random.list { $0.chance() }) }) { $1 }
    all.byFlag = Dictionary(list { ($0.chance(), $0.integer()) }) { $1 }
    all.byDate = Dictionary(list { ($0.date(), $0.integer()) }) { $1 }
    all.byUUID = Dictionary(list { ($0.uuid(), $0.chance() ? $0.text() : nil) }) { $1 }
    all.bySpot = Dictionary(list { ($0.spot(), $0.integer()) }) { $1 }
    all.byGrade = Dictionary(list { ($0.chance() ? .low : .high, $0.spot()) }) { $1 }
    all.byURL = Dictionary(list { ($0.url() ?? URL(fileURLWithPath: "/"), $0.integer()) }) { $1 }
    guard depth > 0 else { return all }
    all.child = chance() ? object(depth: depth - 1) : nil
    all.children = list { $0.object(depth: depth - 2) }
    all.named = Dictionary(list { ($0.text(), $0.object(depth: depth - 2)) }) { $1 }
    all.optionals = list { $0.chance() ? $0.object(depth: depth - 2) : nil }
    return all
  }
}
