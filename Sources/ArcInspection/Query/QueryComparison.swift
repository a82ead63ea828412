import ArcArchive
import ArcFormat
import ArcRuntime

/// The comparison of archive values with constants and with each other.
///
/// Numbers of different types compare by their values. Dates, UUIDs, decimals and URLs also compare with
/// strings in their notation, and enumerations with `.case` or with a string that names the case. Other
/// values of different types have no order and are not equal.
enum QueryComparison {
  /// The order of two values.
  enum Order {
    case less, equal, greater
    /// The values are not equal, and no value is greater than the other.
    case none
  }

  /// Returns whether a relation holds between two values that are not collections. Returns false for
  /// relations with a list or a pattern.
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

  /// Returns the text of a value for searches. Nil if the value has no text.
  static func text(_ value: ArchiveValue) -> String? {
    switch value {
    case .string(let text), .decimal(let text), .url(let text, _): text
    case .enumeration(_, let name, _): name
    default: nil
    }
  }

  /// Returns the order of two values.
  static func order(_ left: ArchiveValue, _ right: ArchiveValue) -> Order {
    switch (left, right) {
    case (.null, .null), (.null, .reference(nil)), (.reference(nil), .null),
      (.reference(nil), .reference(nil)):
      return .equal
    // In a query, `nil` means nil at any depth of nested optionals.
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

  /// Converts a date in ISO 8601, with or without a time, to the seconds since 2001. Nil if the text is not a
  /// date.
  static func seconds(_ text: String) -> Double? {
    DateNotation.seconds(text) ?? DateNotation.seconds(text + "T00:00:00Z")
      ?? DateNotation.seconds(text + "Z")
  }
}

/// The comparison of numbers of different types.
enum QueryNumber {
  /// Converts digits, which may have a sign, a fraction and an exponent, to a number. Nil if no number type
  /// can represent the value.
  static func value(_ text: String) -> ArchiveValue? {
    if let number = Int128(text) { return .integer(number) }
    if let number = UInt128(text) { return .unsigned(number) }
    guard let number = Double(text), number.isFinite else { return nil }
    return .double(number)
  }

  /// Returns the order of two numbers. Nil if a value is not a number.
  static func order(_ left: ArchiveValue, _ right: ArchiveValue) -> QueryComparison.Order? {
    switch (left, right) {
    case (.integer(let one), .integer(let two)): return order(one, two)
    case (.integer(let one), .unsigned(let two)):
      return one < 0 ? .less : order(UInt128(one.magnitude), two)
    case (.unsigned(let one), .integer(let two)):
      return two < 0 ? .greater : order(one, UInt128(two.magnitude))
    case (.unsigned(let one), .unsigned(let two)): return order(one, two)
    // A constant such as 0.1 is rounded to the type of the column, because the column's values were rounded
    // too.
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

  /// Returns a number as the nearest `Double`. Nil if the value is not a number.
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

/// The search for a substring.
enum QueryText {
  /// Returns whether `text` contains `part`.
  ///
  /// - Complexity: O(bytes of `text` · bytes of `part`) if both repeat a pattern; O(bytes of `text`) for
  ///   usual text.
  static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    guard part.count <= text.count else { return false }
    for start in 0...text.count - part.count where text[start] == first {
      if text[start..<start + part.count].elementsEqual(part) { return true }
    }
    return false
  }
}
