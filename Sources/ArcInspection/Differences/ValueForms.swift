import ArcArchive
import ArcFormat
import ArcRuntime

/// Converts values to a form for comparisons. The forms of two values are equal only if the values are equal
/// bit by bit. The order of sets, of dictionaries and of the keys of encoded `Codable` values is ignored.
///
/// The functions recurse over values, whose depth `ArchiveLimits.nesting` limits.
final class ValueForms {
  private let texts = LongTexts()

  /// Returns the form of a value. `target` returns the form of a reference to an object.
  func form(_ value: ArchiveValue, _ target: (ObjectID) -> ArchiveValue) -> ArchiveValue {
    switch value {
    case .null, .reference(nil): return .null
    // Swift's `==` treats canonically equivalent strings as equal, and NaN as not equal to itself.
    case .string(let text), .decimal(let text): return form(of: text)
    case .url(let text, let base): return .array([form(of: text), base.map(form(of:)) ?? .null])
    case .float(let number): return .unsigned(UInt128(number.bitPattern))
    case .double(let number), .date(let number): return .unsigned(UInt128(number.bitPattern))
    case .reference(let id?): return target(id)
    default: break
    }
    switch value.mapChildren({ _, child in form(child, target) }) {
    case .array(let elements) where elements.first?.isCodedField ?? false:
      return .set(sorted(elements))
    case .set(let elements): return .set(sorted(elements))
    case .dictionary(let entries): return .set(sorted(entries.map { .array([$0.key, $0.value]) }))
    case let form: return form
    }
  }

  /// Returns the form of a string. A long string is represented by its fingerprint, so it is not copied for
  /// each value.
  private func form(of text: String) -> ArchiveValue {
    guard let print = texts.fingerprint(of: text) else { return .data(Array(text.utf8)) }
    return .array([print.high, print.low, print.byteCount].map { .integer(Int128($0)) })
  }

  /// Returns the elements in an order that depends only on the elements. The order differs between processes.
  private func sorted(_ elements: [ArchiveValue]) -> [ArchiveValue] {
    elements.map { ($0.hashValue, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns a digest of the class and the contents of an object. All references to objects are treated as
  /// equal.
  func digest(_ object: ArchiveObject) -> Int {
    var hasher = Hasher()
    hasher.combine(ExactName(object.className))
    for property in object.properties {
      hasher.combine(ExactName(property.key))
      hasher.combine(form(property.value) { _ in .bool(true) })
    }
    return hasher.finalize()
  }
}
