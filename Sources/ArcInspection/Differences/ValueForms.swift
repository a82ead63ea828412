import ArcArchive
import ArcFormat
import ArcRuntime

/// Values in a form in which they are equal only if they are the same, bit by bit, whatever the order of sets
/// and dictionaries, and of what `Codable` values encode by keys.
///
/// Recursive over values, which nest as deep as `ArchiveLimits.nesting`.
final class ValueForms {
  private let texts = LongTexts()

  /// The form of a value; `target` gives that of a reference to an object.
  func form(_ value: ArchiveValue, _ target: (ObjectID) -> ArchiveValue) -> ArchiveValue {
    switch value {
    case .null, .reference(nil): return .null
    // Swift takes different spellings of a text for one, and NaN for none.
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

  /// Long texts are not copied for each value that has them.
  private func form(of text: String) -> ArchiveValue {
    guard let print = texts.fingerprint(of: text) else { return .data(Array(text.utf8)) }
    return .array([print.high, print.low, print.byteCount].map { .integer(Int128($0)) })
  }

  /// Elements in an order that depends on them alone, in this process.
  private func sorted(_ elements: [ArchiveValue]) -> [ArchiveValue] {
    elements.map { ($0.hashValue, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// What tells objects apart by what they hold, references to others excepted.
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
