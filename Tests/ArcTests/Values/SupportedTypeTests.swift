import Arc
import ArcTestSupport
import XCTest

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Each type that Arc supports itself round-trips bit for bit in each kind of property, field and collection.
final class SupportedTypeTests: XCTestCase {
  func testNumbersRoundTrip() throws { try assertRoundTrips(Self.numbers) }
  func testTextValuesRoundTrip() throws { try assertRoundTrips(Self.text) }
  func testRangesRoundTrip() throws { try assertRoundTrips(Self.ranges) }
  func testCollectionsRoundTrip() throws { try assertRoundTrips(Self.collections) }
  func testFixedCountCollectionsRoundTrip() throws { try assertRoundTrips(Self.fixedCounts) }
  func testFoundationValueTypesRoundTrip() throws { try assertRoundTrips(Self.foundation) }

  /// Asserts the round trips of one in four types, or of all types in an exhaustive run.
  private func assertRoundTrips(_ types: [SupportedType]) throws {
    for type in RandomTrials.sample(of: types, oneIn: 4) { try type.assertRoundTrips() }
  }

  func testReadmeListsExactlyTheSupportedTypes() throws {
    let lists = [Self.numbers, Self.text, Self.ranges, Self.collections, Self.fixedCounts, Self.foundation]
    var names = Set(lists.flatMap { $0 }.map(\.name))
    #if !((arch(x86_64) || arch(i386)) && !os(Windows) && !os(Android))
      names.insert("Float80")
    #endif
    XCTAssertEqual(try TypesTable.names(of: "Arc").sorted(), names.sorted())
  }
}

extension SupportedTypeTests {
  private static func integers<Number: FixedWidthInteger & ArchivableValue>(
    _ name: String, _ encoding: String, _ type: Number.Type
  ) -> SupportedType {
    SupportedType(name, encoding, [0, 1, .max, .min, .max / 3] as [Number])
  }

  private static func floats<Number: BinaryFloatingPoint & ArchivableValue>(
    _ name: String, _ encoding: String, _ type: Number.Type
  ) -> SupportedType {
    let quiet = Number.nan
    var numbers: [Number] = [
      0, -0.0, 1.5, -.pi, .infinity, -.infinity, .greatestFiniteMagnitude, quiet, -quiet,
    ]
    numbers += [.leastNonzeroMagnitude, .leastNormalMagnitude, .signalingNaN]
    numbers.append(
      Number(
        sign: .minus, exponentBitPattern: quiet.exponentBitPattern,
        significandBitPattern: quiet.significandBitPattern | 5))
    return SupportedType(name, encoding, numbers) { left, right in
      left.sign == right.sign && left.exponentBitPattern == right.exponentBitPattern
        && left.significandBitPattern == right.significandBitPattern
    }
  }

  static var numbers: [SupportedType] {
    var types = [
      SupportedType("Bool", "B", [true, false]),
      integers("Int8", "c", Int8.self), integers("Int16", "s", Int16.self),
      integers("Int32", "i", Int32.self), integers("Int64", "q", Int64.self), integers("Int", "q", Int.self),
      integers("Int128", "t", Int128.self), integers("UInt8", "C", UInt8.self),
      integers("UInt16", "S", UInt16.self), integers("UInt32", "I", UInt32.self),
      integers("UInt64", "Q", UInt64.self), integers("UInt", "Q", UInt.self),
      integers("UInt128", "T", UInt128.self), floats("Float", "f", Float.self),
      floats("Double", "d", Double.self),
      SupportedType(
        "Duration", #"{Duration="attoseconds"t}"#,
        [.zero, .seconds(-1), .nanoseconds(1), Duration(attoseconds: .max), Duration(attoseconds: .min)]),
    ]
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      types.append(floats("Float16", " ", Float16.self))
    #endif
    #if (arch(x86_64) || arch(i386)) && !os(Windows) && !os(Android)
      types.append(floats("Float80", #"{Float80="significand"Q"signAndExponent"S}"#, Float80.self))
    #endif
    return types
  }

  private static let strings = ["", "a", "a\u{0}b", "e\u{301}", "\u{e9}", "🇩🇪👩‍👩‍👧", "\u{FEFF}x", "\r\n"]

  /// Returns whether two strings have equal bytes. `==` also returns true for canonically equivalent strings.
  private static func haveSameBytes(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  static var text: [SupportedType] {
    let string = "🇩🇪 e\u{301} tail"
    let cuts: [Substring] = [string[...], string.prefix(1), string.dropFirst(2), string.suffix(0)]
    let whole: [Substring] = strings.map { $0[...] }
    let encoding = #"@"NSString""#
    let characters: [Character] = ["a", "e\u{301}", "🇩🇪", "\r\n"]
    let scalars: [Unicode.Scalar] = ["\u{0}", "a", "\u{D7FF}", "\u{E000}", "\u{10FFFF}"]
    let encodings: [String.Encoding] = [.utf8, .ascii, .init(rawValue: 0), .init(rawValue: .max)]
    var types = [SupportedType("Unicode.Scalar", "I", scalars)]
    types.append(SupportedType("String.Encoding", "Q", encodings))
    types.append(SupportedType("String", encoding, strings) { haveSameBytes($0, $1) })
    types.append(SupportedType("Substring", encoding, cuts + whole) { haveSameBytes($0, $1) })
    types.append(SupportedType("Character", encoding, characters) { haveSameBytes(String($0), String($1)) })
    return types
  }

  private static func both(_ name: String, _ bound: String) -> String {
    #"{\#(name)="lowerBound"\#(bound)"upperBound"\#(bound)}"#
  }

  static var ranges: [SupportedType] {
    let integers: [Range<Int>] = [0..<3, 0..<0, .min ..< .max, -5 ..< -1]
    let strings: [Range<String>] = ["a"..<"b", ""..<"é"]
    let floats: [Range<Float>] = [-0.0..<0, 0 ..< -0.0, -.infinity ..< .infinity]
    let closed: [ClosedRange<Int8>] = [0...0, .min ... .max, 5...6]
    let from: [PartialRangeFrom<Int>] = [1..., Int.min..., Int.max...]
    let through: [PartialRangeThrough<Double>] = [...1.5, ...(-0.0)]
    let upTo: [PartialRangeUpTo<Date>] = [..<Date.distantPast]
    var types = [SupportedType("Range", both("Range<Int>", "q"), integers)]
    types.append(SupportedType("Range", both("Range<String>", #"@"NSString""#), strings))
    types.append(
      SupportedType("Range", both("Range<Float>", "f"), floats) { left, right in
        left.lowerBound.bitPattern == right.lowerBound.bitPattern
          && left.upperBound.bitPattern == right.upperBound.bitPattern
      })
    types.append(SupportedType("ClosedRange", both("ClosedRange<Int8>", "c"), closed))
    types.append(
      SupportedType("PartialRangeFrom", #"{PartialRangeFrom<Int>="lowerBound"q}"#, from) {
        $0.lowerBound == $1.lowerBound
      })
    types.append(
      SupportedType("PartialRangeThrough", #"{PartialRangeThrough<Double>="upperBound"d}"#, through) {
        $0.upperBound.bitPattern == $1.upperBound.bitPattern
      })
    types.append(
      SupportedType("PartialRangeUpTo", #"{PartialRangeUpTo<Date>="upperBound"@"NSDate"}"#, upTo) {
        $0.upperBound == $1.upperBound
      })
    return types
  }

  private typealias Outcome = Result<[String: Int], Refusal>

  static var collections: [SupportedType] {
    let numbers = [1, -2, 300, 4]
    let optionals: [Int?] = [1, nil, .max]
    let contiguous: [ContiguousArray<Double>] = [[1, -0.0], []]
    let slices: [ArraySlice<Int>] = [numbers[...], numbers[1..<3], numbers[2..<2], []]
    let texts: [ArraySlice<String>] = [["a", "", "é"].dropFirst()]
    let sets: [Set<String>] = [["a", "", "é"], []]
    let dictionaries: [[Int: [Bool]]] = [[1: [true, false]], [:], [0: [], -1: [true]]]
    let pairs: [KeyValuePairs<String, Int?>] = [["b": 1, "a": nil, "b": 3], [:], ["": 0]]
    let outcomes: [Outcome] = [.success(["a": 1]), .failure(Refusal(code: .min)), .success([:])]
    let outcome =
      ##"$(Result<Dictionary<String, Int>, Refusal>="success"{?=""$<@"NSString":q>}"##
      + ##""failure"{?=""{Refusal="code"i}})"##
    return [
      SupportedType("Optional", "$?q", optionals),
      SupportedType("Array", "$[q]", [numbers, []]),
      SupportedType("ContiguousArray", "$[d]", contiguous),
      SupportedType("ArraySlice", "$[q]", slices),
      SupportedType("ArraySlice", #"$[@"NSString"]"#, texts),
      SupportedType("Set", #"$<@"NSString">"#, sets),
      SupportedType("Dictionary", "$<q:$[B]>", dictionaries),
      SupportedType("Result", outcome, outcomes),
      SupportedType(
        "KeyValuePairs", #"$[{KeyValuePair<String, Optional<Int>>="key"@"NSString""value"$?q}]"#, pairs
      ) { left, right in left.elementsEqual(right) { $0.key == $1.key && $0.value == $1.value } },
    ]
  }

  /// Returns vectors of a type, with `first` and with the bits of a NaN.
  private static func vectors<Vector: SIMD<Float> & ArchivableValue>(_ type: Vector.Type) -> SupportedType {
    var vector = Vector(repeating: -0.0)
    for index in vector.indices { vector[index] = Float(index) * 1.1 }
    vector[0] = -0.0
    vector[1] = Float(nan: 7, signaling: false)
    return SupportedType("SIMD\(Vector.scalarCount)", "$[f]", [vector, Vector()]) { left, right in
      left.indices.allSatisfy { left[$0].bitPattern == right[$0].bitPattern }
    }
  }

  static var fixedCounts: [SupportedType] {
    var types = [
      vectors(SIMD2<Float>.self), vectors(SIMD3.self), vectors(SIMD4.self), vectors(SIMD8.self),
      vectors(SIMD16.self), vectors(SIMD32.self), vectors(SIMD64.self),
      SupportedType("SIMD3", "$[q]", [SIMD3(1, .min, .max)]),
      SupportedType("SIMD16", "$[C]", [SIMD16<UInt8>(repeating: 255), SIMD16()]),
      SupportedType("CollectionOfOne", "$[@\"NSString\"]", [CollectionOfOne("é"), CollectionOfOne("")]) {
        $0[0] == $1[0]
      },
    ]
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let arrays: [InlineArray<3, Int?>] = [[1, nil, .max], [nil, nil, 0]]
      let empty: [InlineArray<0, Int>] = [[]]
      types.append(
        SupportedType("InlineArray", "$[$?q]", arrays) { left, right in
          left.indices.allSatisfy { left[$0] == right[$0] }
        })
      types.append(SupportedType("InlineArray", "$[q]", empty) { _, _ in true })
    }
    return types
  }

  static var foundation: [SupportedType] {
    let date = Date(timeIntervalSinceReferenceDate: -5.25)
    let data: [Data] = [Data(), Data([0, 255]), Data([1, 2, 3]).dropFirst()]
    let urls: [URL] = [URL(filePath: "/a b"), URL(string: "x:é")].compactMap { $0 }
    let decimals: [Decimal] = [0, 1, -12, .greatestFiniteMagnitude]
    let orders: [ComparisonResult] = [.orderedAscending, .orderedSame, .orderedDescending]
    let paths: [IndexPath] = [IndexPath(), [0], [-1, .max], [1, 2, 3]]
    let intervals: [DateInterval] = [
      DateInterval(start: date, duration: 0),
      DateInterval(start: .distantPast, duration: .greatestFiniteMagnitude),
    ]
    let items: [URLQueryItem] = [
      URLQueryItem(name: "", value: nil), URLQueryItem(name: "a=&", value: ""),
      URLQueryItem(name: "é", value: "%zz"),
    ]
    return [
      SupportedType("Date", #"@"NSDate""#, [date, .distantFuture, .distantPast]),
      SupportedType("Data", #"@"NSData""#, data),
      SupportedType("UUID", #"@"NSUUID""#, [UUID(), UUID()]),
      SupportedType("URL", #"@"NSURL""#, urls),
      SupportedType("Decimal", #"@"NSDecimalNumber""#, decimals),
      SupportedType("DateInterval", #"{DateInterval="start"@"NSDate""duration"d}"#, intervals),
      SupportedType("IndexPath", "$[q]", paths),
      SupportedType("ComparisonResult", "q", orders),
      SupportedType("URLQueryItem", #"{URLQueryItem="name"@"NSString""value"$?@"NSString"}"#, items),
      SupportedType("URLComponents", #"@"NSString""#, components),
    ]
  }

  private static var components: [URLComponents] {
    var parts = URLComponents()
    parts.path = "a:b c"
    parts.fragment = ""
    parts.queryItems = [URLQueryItem(name: "é&=", value: nil), URLQueryItem(name: "b", value: "")]
    let urls = ["https://me:pass%40word@[::1]:80/a%2Fb/?q=%26#f", "mailto:a@b", "//host", "?", "%zz"]
    return [URLComponents(), parts] + urls.compactMap { URLComponents(string: $0) }
  }
}

@Archivable private struct Refusal: Error, Equatable { var code: Int32 }
