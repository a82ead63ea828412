import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Random types, random changes of them and random values. A value that is read as the changed type equals
/// the value that `Change.converted(_:)` computes, or reading fails if that returns nil. `ARC_MUTATIONS`
/// sets the number of rounds, `ARC_SEED` repeats a run.
final class RandomChangeTests: XCTestCase {
  func testValuesOfRandomlyChangedTypesAreConverted() throws {
    let seed = RandomTrials.seed()
    var refusedCount = 0
    let roundCount = RandomTrials.count(usually: 500, exhaustively: 20_000)
    for round in 0..<roundCount {
      var random = RandomChange(seed: seed &+ UInt64(round))
      let change = random.change(depth: 0)
      let values = (0..<5).map { _ in random.value(of: change) }
      let converted = values.map(change.converted)
      let read = try read(values, storedAs: change.fileType, as: change.wantedType)
      guard read != nil else {
        return XCTFail("seed \(seed), round \(round): \(change.fileType) does not fit \(change.wantedType)")
      }
      // The column ends at the first value that does not fit.
      let readable = converted.prefix { $0 != nil }.map { $0 }
      refusedCount += readable.count < values.count ? 1 : 0
      XCTAssertEqual(
        read, readable.map { $0 },
        "seed \(seed), round \(round): \(change.fileType) as \(change.wantedType): \(values)")
      if read != readable { return }
    }
    XCTAssertGreaterThan(refusedCount, roundCount / 200)
  }

  /// Reads the values as another type, up to the first value that does not fit. Returns nil if the types do
  /// not fit.
  private func read(
    _ values: [ArchiveValue], storedAs type: TypeEncoding, as wanted: TypeEncoding
  ) throws -> [ArchiveValue?]? {
    let attributes = PropertyAttributes(type: type, flags: [], ivar: nil)
    let rows = try NewRows(
      ClassDescription(
        name: "A", superclassIndex: nil,
        columns: [ColumnDescription(declaringClassIndex: 0, key: "a", attributes: attributes, flags: [])]))
    for (index, value) in values.enumerated() {
      XCTAssertEqual(try value.fitted(to: type) { _ in true }, value, "the value must be one of its type")
      rows.add(ObjectID(rawValue: UInt32(index + 1)), [value])
    }
    let segment = try rows.segment(classIndex: 1)
    let layout = try ColumnLayout(of: wanted)
    var resolver = ColumnResolver(wanted: layout, file: try ColumnLayout(of: type))
    guard let sources = resolver.resolve(root: 0, fileRoot: 0) else { return nil }
    let set = ColumnReaderSet(
      layout, sources: sources, locations: [ColumnLocation(className: "A", key: "a")],
      strings: StringTable(), context: nil)
    set.bind(segment.classes[0].chunks)
    let budget = DynamicBudget(.default)
    let reader = ValueReader(layout: layout, areEmpty: set.areEmpty, budget: budget, nesting: 100)
    var read: [ArchiveValue?] = []
    for _ in values {
      do {
        let value = try reader.value(set.column(0), node: layout.roots[0])
        // Reading an integer as its own type checks its range.
        read.append(try value.fitted(to: wanted) { _ in true })
      } catch let error as ArchiveError {
        XCTAssertTrue([.valueOutOfRange, .unknownCase].contains(error.code), "\(error)")
        break
      }
    }
    return read
  }
}

/// A type, and the changed type as which its values are read.
private indirect enum Change {
  case number(from: TypeEncoding.Scalar, to: TypeEncoding.Scalar)
  case text
  case textAsUUID
  case uuidAsText
  case becomesOptional(Change)
  case losesOptional(Change)
  case optional(Change)
  case becomesList(Change, isSet: Bool)
  case list(Change, wasSet: Bool, isSet: Bool)
  case dictionary(Change)
  /// Each field with its position in the changed type. Nil if the changed type has no such field.
  case structure([(change: Change, position: Int?)])
  /// Each case with its position in the changed type. Nil if the changed type has no such case.
  case enumeration([(payload: Change?, position: Int?)], addedCount: Int)

  var fileType: TypeEncoding {
    switch self {
    case .number(let from, _): .scalar(from)
    case .text, .textAsUUID: .object(named: "NSString")
    case .uuidAsText: .object(named: "NSUUID")
    case .becomesOptional(let change), .becomesList(let change, _): change.fileType
    case .losesOptional(let change), .optional(let change): .optional(change.fileType)
    case .list(let change, let wasSet, _): wasSet ? .set(change.fileType) : .list(change.fileType)
    case .dictionary(let change): .dictionary(key: .object(named: "NSString"), value: change.fileType)
    case .structure(let fields):
      .structure(
        name: "S", fields: fields.indices.map { .init(name: "f\($0)", type: fields[$0].change.fileType) })
    case .enumeration(let cases, _):
      .enumeration(name: "E", cases: cases.indices.map { Self.case("c\($0)", cases[$0].payload?.fileType) })
    }
  }

  var wantedType: TypeEncoding {
    switch self {
    case .number(_, let to): .scalar(to)
    case .text, .uuidAsText: .object(named: "NSString")
    case .textAsUUID: .object(named: "NSUUID")
    case .losesOptional(let change): change.wantedType
    case .becomesOptional(let change), .optional(let change): .optional(change.wantedType)
    case .becomesList(let change, let isSet), .list(let change, _, let isSet):
      isSet ? .set(change.wantedType) : .list(change.wantedType)
    case .dictionary(let change): .dictionary(key: .object(named: "NSString"), value: change.wantedType)
    case .structure(let fields):
      .structure(
        name: "S",
        fields: Self.ordered(fields.map(\.position)).map {
          .init(name: "f\($0)", type: fields[$0].change.wantedType)
        })
    case .enumeration(let cases, let addedCount):
      .enumeration(
        name: "E",
        cases: Self.ordered(cases.map(\.position)).map { Self.case("c\($0)", cases[$0].payload?.wantedType) }
          + (0..<addedCount).map { Self.case("new\($0)", nil) })
    }
  }

  private static func `case`(_ name: String, _ payload: TypeEncoding?) -> TypeEncoding.Field {
    .init(
      name: name,
      type: payload.map { .structure(name: "?", fields: [.init(name: "", type: $0)]) } ?? .uncoded)
  }

  /// Returns the indices of the remaining fields or cases, in the order of their positions.
  static func ordered(_ positions: [Int?]) -> [Int] {
    positions.indices.filter { positions[$0] != nil }.sorted { positions[$0] ?? 0 < positions[$1] ?? 0 }
  }

  /// Returns a value of the file as a value of the changed type. Nil if the changed type has no equal value.
  func converted(_ value: ArchiveValue) -> ArchiveValue? {
    switch (self, value) {
    case (.number(_, let to), _): Self.number(value, as: to)
    case (.text, _): value
    case (.textAsUUID, .string(let text)): UUID(uuidString: text).map(Self.uuid)
    case (.uuidAsText, .uuid(let bytes)): .string(Self.text(ofUUID: bytes))
    case (.becomesOptional(let change), _): change.converted(value)
    case (.losesOptional(let change), _): value == .null ? nil : change.converted(value)
    case (.optional(let change), _): value == .null ? .null : change.converted(value)
    case (.becomesList(let change, let isSet), _):
      change.converted(value).map { isSet ? .set([$0]) : .array([$0]) }
    case (.list(let change, _, let isSet), .array(let elements)),
      (.list(let change, _, let isSet), .set(let elements)):
      Self.all(elements.map(change.converted)).map { isSet ? .set($0) : .array($0) }
    case (.dictionary(let change), .dictionary(let entries)):
      Self.all(entries.map { change.converted($0.value) }).map { values in
        .dictionary(zip(entries, values).map { .init(key: $0.key, value: $1) })
      }
    case (.structure(let changes), .structure(_, let fields)):
      Self.all(
        Self.ordered(changes.map(\.position)).map { index in
          changes[index].change.converted(fields[index].value)
        }
      ).map { values in
        let names = Self.ordered(changes.map(\.position)).map { "f\($0)" }
        return .structure(name: "S", fields: zip(names, values).map { .init(name: $0, value: $1) })
      }
    case (.enumeration(let cases, _), .enumeration(_, let name, let payload)):
      Self.converted(cases, Int(name.dropFirst()) ?? 0, name, payload)
    default: nil
    }
  }

  private static func converted(
    _ cases: [(payload: Change?, position: Int?)], _ index: Int, _ name: String, _ payload: ArchiveValue?
  ) -> ArchiveValue? {
    guard cases[index].position != nil else { return nil }
    guard let change = cases[index].payload, case .structure(_, let fields)? = payload else {
      return .enumeration(name: "E", case: name, payload: nil)
    }
    return change.converted(fields[0].value).map {
      .enumeration(
        name: "E", case: name, payload: .structure(name: "?", fields: [.init(name: "", value: $0)]))
    }
  }

  private static func all(_ values: [ArchiveValue?]) -> [ArchiveValue]? {
    let present = values.compactMap { $0 }
    return present.count == values.count ? present : nil
  }

  static func uuid(_ id: UUID) -> ArchiveValue { .uuid(UUIDNotation.bytes(id.uuidString).map(bytes) ?? []) }

  /// Returns the bytes of a number, lowest byte first, which is the order of a UUID's bytes in a file.
  private static func bytes(_ number: UInt128) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt128(8 * $0)) }
  }

  private static func text(ofUUID bytes: [UInt8]) -> String {
    let digits = bytes.map { String(UInt16($0) + 0x100, radix: 16).uppercased().dropFirst() }
    let groups = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
    return groups.map { $0.joined() }.joined(separator: "-")
  }

  /// Returns a number as a value of another number type. Nil if the type cannot represent the number.
  private static func number(_ value: ArchiveValue, as type: TypeEncoding.Scalar) -> ArchiveValue? {
    let double: Double
    var integer: Int128?
    switch value {
    case .bool(let value): (double, integer) = (value ? 1 : 0, value ? 1 : 0)
    case .integer(let value): (double, integer) = (Double(value), value)
    case .float(let value): (double, integer) = (Double(value), Int128(exactly: value))
    case .double(let value): (double, integer) = (value, Int128(exactly: value))
    default: return nil
    }
    func exact<Number: FixedWidthInteger>(_ type: Number.Type) -> ArchiveValue? {
      integer.flatMap(Number.init(exactly:)).map { .integer(Int128($0)) }
    }
    let isExact = integer.map { Int128(exactly: double) == $0 } ?? true
    switch type {
    case .bool: return integer == 0 || integer == 1 ? .bool(integer == 1) : nil
    case .character: return exact(Int8.self)
    case .short: return exact(Int16.self)
    case .int: return exact(Int32.self)
    case .longLong: return exact(Int64.self)
    case .unsignedCharacter: return exact(UInt8.self)
    case .unsignedShort: return exact(UInt16.self)
    case .unsignedInt: return exact(UInt32.self)
    case .unsignedLongLong: return exact(UInt64.self)
    case .double: return isExact ? .double(double) : nil
    case .float:
      let float = Float(double)
      return isExact && Double(float) == double ? .float(float) : nil
    default: return nil
    }
  }
}

/// A generator of random changes, and of values to change.
private struct RandomChange {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  private static let scalars: [TypeEncoding.Scalar] = [
    .bool, .character, .short, .int, .longLong, .unsignedCharacter, .unsignedShort, .unsignedInt,
    .unsignedLongLong, .float, .double,
  ]

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
  private mutating func isTrue() -> Bool { Bool.random(using: &generator) }

  private mutating func scalar() -> TypeEncoding.Scalar { Self.scalars[below(Self.scalars.count)] }

  /// Returns a change whose types are not optional, so that an optional can contain them.
  private mutating func plainChange(depth: Int) -> Change {
    switch below(depth > 2 ? 4 : 8) {
    case 0, 1: return .number(from: scalar(), to: scalar())
    case 2: return .text
    case 3: return isTrue() ? .textAsUUID : .uuidAsText
    case 4: return .list(change(depth: depth + 1), wasSet: false, isSet: false)
    case 5: return .dictionary(change(depth: depth + 1))
    case 6: return structure(depth: depth)
    default: return enumeration(depth: depth)
    }
  }

  mutating func change(depth: Int) -> Change {
    switch below(8) {
    case 0: return .becomesOptional(plainChange(depth: depth + 1))
    case 1: return .losesOptional(plainChange(depth: depth + 1))
    case 2: return .optional(plainChange(depth: depth + 1))
    case 3: return .becomesList(leaf(), isSet: isTrue())
    // A list of distinct elements can be read as a set, and a set as a list.
    case 4: return .list(leaf(), wasSet: isTrue(), isSet: isTrue())
    default: return plainChange(depth: depth)
    }
  }

  private mutating func leaf() -> Change {
    switch below(3) {
    case 0: .number(from: scalar(), to: scalar())
    case 1: .text
    default: .textAsUUID
    }
  }

  private mutating func structure(depth: Int) -> Change {
    let count = 1 + below(4)
    var positions = (0..<count).map { $0 as Int? }
    positions.shuffle(using: &generator)
    if count > 1, isTrue() { positions[below(count)] = nil }
    return .structure(positions.map { (change(depth: depth + 1), $0) })
  }

  private mutating func enumeration(depth: Int) -> Change {
    let count = 1 + below(3)
    var positions = (0..<count).map { $0 as Int? }
    positions.shuffle(using: &generator)
    if count > 1, below(4) == 0 { positions[below(count)] = nil }
    return .enumeration(
      positions.map { (isTrue() ? change(depth: depth + 1) : nil, $0) }, addedCount: below(3))
  }

  /// Returns a random value of the file's type.
  mutating func value(of change: Change) -> ArchiveValue {
    switch change {
    case .number(let from, _): return number(from)
    case .text: return .string("text \(below(4))")
    case .textAsUUID: return below(10) == 0 ? "no UUID" : .string(id().uuidString)
    case .uuidAsText: return Change.uuid(id())
    case .becomesOptional(let change), .becomesList(let change, _): return value(of: change)
    case .losesOptional(let change): return below(10) == 0 ? .null : value(of: change)
    case .optional(let change): return isTrue() ? .null : value(of: change)
    case .list(let change, let wasSet, let isSet):
      return list(of: change, wasSet, isDistinct: wasSet || isSet)
    case .dictionary(let change):
      return .dictionary((0..<below(3)).map { .init(key: .string("\($0)"), value: value(of: change)) })
    case .structure(let fields):
      return .structure(
        name: "S", fields: fields.indices.map { .init(name: "f\($0)", value: value(of: fields[$0].change)) })
    case .enumeration(let cases, _):
      let index = below(cases.count)
      let payload = cases[index].payload.map { change in
        ArchiveValue.structure(name: "?", fields: [.init(name: "", value: value(of: change))])
      }
      return .enumeration(name: "E", case: "c\(index)", payload: payload)
    }
  }

  private mutating func list(of change: Change, _ isSet: Bool, isDistinct: Bool) -> ArchiveValue {
    var elements: [ArchiveValue] = []
    for _ in 0..<below(4) {
      let element = value(of: change)
      if !isDistinct || !elements.contains(element) { elements.append(element) }
    }
    return isSet ? .set(elements) : .array(elements)
  }

  private mutating func id() -> UUID {
    let digits = (0..<32).map { _ in String(below(16), radix: 16) }.joined()
    let lengths = [8, 4, 4, 4, 12]
    var rest = digits[...]
    let groups = lengths.map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }
    return UUID(uuidString: groups.joined(separator: "-")) ?? UUID()
  }

  /// Returns a random number of a type. Most numbers are small, so that other types can represent them.
  private mutating func number(_ type: TypeEncoding.Scalar) -> ArchiveValue {
    func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> ArchiveValue {
      let isSmall = below(8) > 0
      let number = isSmall ? Number(below(2)) : Number.random(in: .min ... .max, using: &generator)
      return .integer(Int128(number))
    }
    switch type {
    case .bool: return .bool(isTrue())
    case .character: return integer(Int8.self)
    case .short: return integer(Int16.self)
    case .int: return integer(Int32.self)
    case .longLong: return integer(Int64.self)
    case .unsignedCharacter: return integer(UInt8.self)
    case .unsignedShort: return integer(UInt16.self)
    case .unsignedInt: return integer(UInt32.self)
    case .unsignedLongLong: return integer(UInt64.self)
    case .float: return .float(below(8) > 0 ? Float(below(2)) : Float(below(2000)) / 8)
    default: return .double(below(8) > 0 ? Double(below(2)) : Double(below(2_000_000)) / 1024)
    }
  }
}
