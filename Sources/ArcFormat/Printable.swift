/// Text from a file as a terminal or a line of a log may show it: what would steer the terminal, end the
/// line, reorder text or be invisible is written `\u{…}`.
///
/// All text that stems from a file goes through here, names of classes, keys and error messages included.
/// With `quoted` the result is a string literal of Swift.
package func printable(_ text: String, quoted: Bool = false) -> String {
  // Nearly all texts.
  if text.withUTF8Bytes({ $0.isPlainText }) { return quoted ? "\"" + text + "\"" : text }
  var result = String.UnicodeScalarView()
  var filter = PrintableFilter()
  if quoted { result.append("\"") }
  for scalar in text.unicodeScalars {
    let short = quoted ? shortEscape(scalar) : nil
    if filter.shows(scalar, isEscaped: short != nil) {
      result.append(scalar)
    } else {
      let escape = short ?? "\\u{\(String(scalar.value, radix: 16))}"
      result.append(contentsOf: escape.unicodeScalars)
    }
  }
  if quoted { result.append("\"") }
  return String(result)
}

/// The name of a class, key, field or case as text for people shows it. It is cut, for a long name that is
/// printed with each object would make the output grow with the square of the file.
package func printableName(_ name: String, scalars count: Int = 120) -> String {
  let (start, restByteCount) = name.cut(toScalars: count)
  return printable(start) + (restByteCount > 0 ? "…" : "")
}

extension String {
  /// At most `count` scalars, and the number of bytes of UTF-8 that are left.
  ///
  /// - Complexity: O(`count`), whatever the length of the text: a file may mention a long one a million
  ///   times.
  package func cut(toScalars count: Int) -> (start: String, restByteCount: Int) {
    guard utf8.count > count else { return (self, 0) }
    let start = String(unicodeScalars.prefix(count))
    return (start, utf8.count - start.utf8.count)
  }
}

private func shortEscape(_ scalar: Unicode.Scalar) -> String? {
  switch scalar {
  case "\"": "\\\""
  case "\\": "\\\\"
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: nil
  }
}

/// Decides of each scalar of a text whether it can be shown after those before it.
package struct PrintableFilter {
  /// Whether a scalar was shown that a combining mark can join.
  private var hasBase = false

  /// A filter at the beginning of a text, or after a scalar that was shown.
  package init(isAfterShown: Bool = false) { hasBase = isAfterShown }

  /// Forgets what was shown: what follows begins anew.
  package mutating func restart() { hasBase = false }

  /// Whether the next scalar can be shown. A notation that escapes the scalar for another reason, because it
  /// is a quote for example, passes true for `isEscaped`: a combining mark must not join the escape.
  package mutating func shows(_ scalar: Unicode.Scalar, isEscaped: Bool = false) -> Bool {
    hasBase = !isEscaped && isVisible(scalar)
    return hasBase
  }

  private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value >= 0x20 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
      return false
    case .nonspacingMark, .spacingMark, .enclosingMark:
      // Variation selectors 1 to 16 belong to ordinary text, emoji above all; the others can hide a message.
      let isSelector = scalar.value >= 0xFE00 && scalar.value <= 0xFE0F
      return hasBase && (isSelector || !properties.isDefaultIgnorableCodePoint)
    default:
      return !properties.isDefaultIgnorableCodePoint
    }
  }
}
