import ArcArchive
import ArcFormat
import ArcRuntime

/// How values of an archive compare with constants and with each other.
///
/// Numbers of all types compare as numbers; dates, UUIDs, decimals and URLs also with texts in their
/// notation; enumerations with `.case` and with the name of a case. Whatever else differs in type is neither
/// equal, nor less or greater.
enum QueryComparison {
  /// Which of two values is greater.
  enum Order {
    case less, equal, greater
    /// Not the same, and neither is greater.
    case none
  }

  /// Whether a relation other than one to lists and patterns holds between two values that are no
  /// collections.
  static func holds(_ left: ArchiveValue, _ relation: QueryTest.Operator, _ right: ArchiveValue) -> Bool {
    switch relation {
    case .equal: order(left, right) == .equal
    case .less: order(left, right) == .less
    case .greater: order(left, right) == .greater
    case .lessOrEqual: [.less, .equal].contains(order(left, right))
    case .greaterOrEqual: [.greater, .equal].contains(order(left, right))
    case .contains: compareText(left, right) { QueryText.contains($0, $1) }
    case .beginsWith: compareText(left, right) { $0.starts(with: $1) }
    case .endsWith: compareText(left, right) { $0.reversed().starts(with: $1.reversed()) }
    case .isOneOf, .matches, .holds: false
    }
  }

  private static func compareText(
    _ left: ArchiveValue, _ right: ArchiveValue, _ body: ([UInt8], [UInt8]) -> Bool
  ) -> Bool {
    guard let left = text(left), let right = text(right) else { return false }
    return body(Array(left.utf8), Array(right.utf8))
  }

  /// The text of a value that can be searched; nil for one without.
  static func text(_ value: ArchiveValue) -> String? {
    switch value {
    case .string(let text), .decimal(let text), .url(let text, _): text
    case .enumeration(_, let name, _): name
    default: nil
    }
  }

  /// Compares two values.
  static func order(_ left: ArchiveValue, _ right: ArchiveValue) -> Order {
    switch (left, right) {
    case (.null, .null), (.null, .reference(nil)), (.reference(nil), .null),
      (.reference(nil), .reference(nil)):
      return .equal
    // A query has one word for nil at any depth.
    case (.nestedNull, _): return order(.null, right)
    case (_, .nestedNull): return order(left, .null)
    case (.bool(let one), .bool(let two)): return one == two ? .equal : .none
    case (.string(let one), .string(let two)): return order(one, two)
    case (.date(let one), .date(let two)): return order(one, two)
    case (.date(let one), .string(let text)): return seconds(text).map { order(one, $0) } ?? .none
    case (.uuid(let one), .string(let text)):
      return UUIDNotation.text(one).lowercased() == text.lowercased() ? .equal : .none
    case (.url(let one, _), .string(let text)): return order(one, text)
    case (.decimal(let one), .string(let text)):
      return DecimalNotation.normalized(text).map { $0 == one ? .equal : .none } ?? .none
    case (.enumeration(_, let one, nil), .enumeration("", let two, nil)),
      (.enumeration(_, let one, .some), .enumeration("", let two, nil)):
      return one.hasSameBytes(as: two) ? .equal : .none
    case (.enumeration(_, let one, _), .string(let two)): return one.hasSameBytes(as: two) ? .equal : .none
    case (.string, .date), (.string, .uuid), (.string, .url), (.string, .decimal), (.string, .enumeration),
      (.enumeration("", _, nil), .enumeration):
      return reversed(order(right, left))
    default:
      if let order = QueryNumber.order(left, right) { return order }
      return left == right ? .equal : .none
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Order {
    left == right ? .equal : left < right ? .less : left > right ? .greater : .none
  }

  private static func reversed(_ order: Order) -> Order {
    switch order {
    case .less: .greater
    case .greater: .less
    case .equal, .none: order
    }
  }

  /// The seconds since 2001 of a date in ISO 8601, perhaps without a time.
  static func seconds(_ text: String) -> Double? {
    DateNotation.seconds(text) ?? DateNotation.seconds(text + "T00:00:00Z")
      ?? DateNotation.seconds(text + "Z")
  }
}

/// Numbers of all types, as numbers.
enum QueryNumber {
  /// The value of digits, perhaps with a sign, a fraction and an exponent; nil if no type can hold it.
  static func value(_ text: String) -> ArchiveValue? {
    if let number = Int128(text) { return .integer(number) }
    if let number = UInt128(text) { return .unsigned(number) }
    guard let number = Double(text), number.isFinite else { return nil }
    return .double(number)
  }

  /// Compares two numbers; nil if one is none.
  static func order(_ left: ArchiveValue, _ right: ArchiveValue) -> QueryComparison.Order? {
    switch (left, right) {
    case (.integer(let one), .integer(let two)): return order(one, two)
    case (.integer(let one), .unsigned(let two)):
      return one < 0 ? .less : order(UInt128(one.magnitude), two)
    case (.unsigned(let one), .integer(let two)):
      return two < 0 ? .greater : order(one, UInt128(two.magnitude))
    case (.unsigned(let one), .unsigned(let two)): return order(one, two)
    // A constant such as 0.1 is the nearest number that the column can hold.
    case (.float(let one), .double(let two)): return order(one, Float(two))
    case (.double(let one), .float(let two)): return order(Float(one), two)
    default:
      guard let one = double(left), let two = double(right) else { return nil }
      return order(one, two)
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> QueryComparison.Order {
    left == right ? .equal : left < right ? .less : left > right ? .greater : .none
  }

  /// A number, rounded to the nearest one of that type; nil for what is none.
  static func double(_ value: ArchiveValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let text): Double(text)
    default: nil
    }
  }
}

/// Search in texts.
enum QueryText {
  /// Whether bytes contain others.
  ///
  /// - Complexity: O(*n* · *m*) at worst, where both repeat; O(*n*) for usual text.
  static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    guard part.count <= text.count else { return false }
    for start in 0...text.count - part.count where text[start] == first {
      if text[start..<start + part.count].elementsEqual(part) { return true }
    }
    return false
  }
}
