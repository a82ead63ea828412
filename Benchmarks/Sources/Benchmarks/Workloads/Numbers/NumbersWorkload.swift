import Arc
import SwiftProtobuf

/// Long arrays of numbers.
@Archivable
final class Measurements {
  let doubles: [Double]
  let integers: [Int]

  init(doubles: [Double], integers: [Int]) {
    self.doubles = doubles
    self.integers = integers
  }

  /// Creates measured values with three decimals, and integers that are mostly small.
  convenience init(count: Int) {
    var random = SeededGenerator(seed: 4)
    self.init(
      doubles: (0..<count / 2).map { _ in Double(random.index(below: 10_000_000)) / 1000 },
      integers: (0..<count / 2).map { _ in Int(random.next() >> (8 + random.next() % 48)) })
  }

  /// A checksum over all numbers.
  var digest: UInt64 {
    var digest = Digest()
    for number in doubles { digest.fold(number) }
    for number in integers { digest.fold(number) }
    return digest.value
  }

  /// The floor of unarchiving: a copy of both arrays in new memory.
  var copy: Measurements {
    func copy<Number>(_ source: [Number]) -> [Number] {
      source.withUnsafeBufferPointer { source in
        Array(unsafeUninitializedCapacity: source.count) { buffer, count in
          count = source.count
          _ = buffer.initialize(from: source)
        }
      }
    }
    return Measurements(doubles: copy(doubles), integers: copy(integers))
  }
}

/// Ten million `Double` and ten million `Int` in two arrays of one object. An "object" in the tables is one
/// number.
struct NumbersWorkload: Workload {
  static let name = "numbers"
  static let fullCount = 20_000_000

  private let count: Int
  private let numbers: Lazily<Measurements>

  init(count: Int) {
    self.count = count
    numbers = Lazily { Measurements(count: count) }
  }

  var contenders: [Contender] {
    ArcSubject(root: numbers, objectCount: count, digest: \.digest).contenders
      + compressed
      + [
        .walk(numbers, objectCount: count) { numbers in { numbers.digest } },
        .rebuild(numbers, objectCount: count) { $0.copy },
      ] + peers
  }

  /// zlib is so slow that it gets fewer numbers.
  private var compressed: [Contender] {
    let fewer = min(count, 1_000_000)
    return ArcSubject(root: Lazily { Measurements(count: fewer) }, objectCount: fewer, digest: \.digest)
      .compressedContenders()
  }

  private var peers: [Contender] {
    let fewer = min(count, 200_000)
    let records = Lazily { MeasurementsRecord(Measurements(count: fewer)) }
    let message = Lazily { [numbers] in
      let numbers = try numbers.value()
      return ProtoMeasurements.with {
        $0.doubles = numbers.doubles
        $0.integers = numbers.integers.map { Int64($0) }
      }
    }
    return Contender.codable(records, objectCount: fewer)
      + Contender.protobuf(message, objectCount: count)
  }
}

/// The numbers, for coders of values.
private struct MeasurementsRecord: Codable, Equatable {
  let doubles: [Double]
  let integers: [Int]

  init(_ numbers: Measurements) {
    doubles = numbers.doubles
    integers = numbers.integers
  }
}
