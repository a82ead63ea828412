/// Converts text from a file to a form that is safe for a terminal or a line of a log. `\u{…}` replaces
/// characters that could control the terminal, end the line, reorder text or be invisible.
///
/// All text from a file must be passed to this function before it is printed, including names of classes,
/// keys and error messages. If `quoted` is true, the result is a Swift string literal.
package func printable(_ text: String, quoted: Bool = false) -> String {
  // Fast path: most text is plain.
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

/// Returns the printable name of a class, key, field or case. A long name is truncated. If the whole name
/// were printed with each object, the size of the output could be quadratic in the size of the file.
package func printableName(_ name: String, scalars count: Int = 120) -> String {
  let (start, restByteCount) = name.cut(toScalars: count)
  return printable(start) + (restByteCount > 0 ? "…" : "")
}

extension String {
  /// Returns the first `count` Unicode scalars, and the number of UTF-8 bytes after them.
  ///
  /// - Complexity: O(`count`), independent of the length of the text, because a file can mention a long text
  ///   a million times.
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

/// Decides for each Unicode scalar of a text whether it can be shown after the preceding scalars.
package struct PrintableFilter {
  /// Whether the preceding scalar was shown. If true, a combining mark can follow it.
  private var hasBase = false

  /// Creates a filter. If `isAfterShown` is true, the filter begins after a scalar that was shown; otherwise,
  /// it begins at the start of a text.
  package init(isAfterShown: Bool = false) { hasBase = isAfterShown }

  /// Resets the filter to the beginning of a text.
  package mutating func restart() { hasBase = false }

  /// Returns whether the next scalar can be shown. If `isEscaped` is true, the caller escapes the scalar for
  /// another reason, for example because it is a quote. A combining mark after an escape is not shown,
  /// because it would combine with the escape.
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
      // Variation selectors 1 to 16 are part of ordinary text, especially of emoji. Other selectors can hide
      // a message.
      let isSelector = scalar.value >= 0xFE00 && scalar.value <= 0xFE0F
      return hasBase && (isSelector || !properties.isDefaultIgnorableCodePoint)
    default:
      return !properties.isDefaultIgnorableCodePoint
    }
  }
}
