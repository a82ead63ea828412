import ArcRuntime

extension ArchiveValue {
  /// Whether the program's value has everything of a stored value, which the program read as a value of
  /// another type: no field, element, entry or object is missing.
  ///
  /// Recursive over the values, as deep as they nest.
  ///
  /// - Parameters:
  ///   - stored: the value in the archive, with the program's names of fields and cases.
  ///   - convertedFields: the keys of older fields that structures of the program convert, by the name of the
  ///     structure. The program's value has other fields in place of these.
  /// - Returns: false if some of it is missing.
  /// - Complexity: O(parts), and O(*n*²) in the number of elements of a set, or keys of a dictionary, that
  ///   are of another type.
  func hasAll(of stored: ArchiveValue, convertedFields: [ExactName: Set<ExactName>]) -> Bool {
    func hasAll(_ value: ArchiveValue, _ stored: ArchiveValue) -> Bool {
      value.hasAll(of: stored, convertedFields: convertedFields)
    }
    /// Whether elements without an order are those of another collection, none left out.
    func areAll(_ elements: [ArchiveValue], _ others: [ArchiveValue]) -> CollectionLosses? {
      guard elements.count == others.count else { return nil }
      let losses = CollectionLosses(unordered: elements, of: others)
      return losses.flatMap { zip(elements, $0.stored).allSatisfy(hasAll) ? $0 : nil }
    }
    switch (self, stored) {
    case (.array(let elements), .array(let others)):
      return elements.count == others.count && zip(elements, others).allSatisfy(hasAll)
    case (.array, .data), (.data, .array): return isConverted(from: stored)
    case (.array(let elements), .null), (.array(let elements), .reference(nil)): return elements.isEmpty
    case (.set(let elements), .null), (.set(let elements), .reference(nil)): return elements.isEmpty
    case (.set(let elements), .set(let others)): return areAll(elements, others) != nil
    // A set has no order that an array of several elements could have.
    case (.array(let elements), .set(let others)), (.set(let elements), .array(let others)):
      return others.count < 2 && areAll(elements, others) != nil
    // A single value is read as a collection of it.
    case (.array(let elements), _), (.set(let elements), _):
      return elements.count == 1 && hasAll(elements[0], stored)
    case (.dictionary(let entries), .dictionary(let others)):
      guard let read = areAll(entries.map(\.key), others.map(\.key)) else { return false }
      let values = Dictionary(others.map { (ValueIdentity(value: $0.key), $0.value) }) { first, _ in first }
      return zip(entries, read.stored).allSatisfy { entry, key in
        values[ValueIdentity(value: key)].map { hasAll(entry.value, $0) } ?? false
      }
    case (.structure(let name, let fields), .structure(_, let others)):
      let converted = convertedFields[ExactName(name)] ?? []
      return others.indices.allSatisfy { index in
        converted.contains(ExactName(others[index].name))
          || fields.partner(of: index, in: others).map { hasAll($0.value, others[index].value) } ?? false
      }
    case (.enumeration(_, let label, let payload), .enumeration(_, let other, let otherPayload)):
      guard label.hasSameBytes(as: other), let otherPayload else { return label.hasSameBytes(as: other) }
      return payload.map { hasAll($0, otherPayload) } ?? false
    default: return isConverted(from: stored)
    }
  }

  /// Whether the value, which has no parts, is what a program reads a stored value of another type as without
  /// loss: a number of another kind, text that was parsed, or the same value.
  ///
  /// - Complexity: O(length).
  func isConverted(from stored: ArchiveValue) -> Bool {
    switch (self, stored) {
    case (.bool(let flag), .integer(let number)), (.integer(let number), .bool(let flag)):
      number == (flag ? 1 : 0)
    case (.double(let seconds), .date(let other)): seconds.bitPattern == other.bitPattern
    case (.decimal(let text), _) where stored.numberText != nil: stored.isNumber(text)
    case (_, .decimal(let text)) where numberText != nil: isNumber(text)
    case (.data(let bytes), .array(let elements)), (.array(let elements), .data(let bytes)):
      elements == bytes.map { .integer(Int128($0)) }
    default:
      // By bits: zero has no sign as an integer.
      isSame(as: stored) || isConvertedText(stored)
        || double != nil && double?.bitPattern == stored.double?.bitPattern
    }
  }

  /// Whether a decimal number has the value of this number.
  private func isNumber(_ decimal: String) -> Bool {
    numberText.flatMap(DecimalNotation.normalized) == DecimalNotation.normalized(decimal)
  }

  /// A number in decimal notation; nil for other values.
  private var numberText: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .double(let number): "\(number)"
    case .float(let number): "\(number)"
    default: nil
    }
  }

  /// Whether one of both is text and the other one what a reader of the other type makes of it.
  private func isConvertedText(_ stored: ArchiveValue) -> Bool {
    switch (self, stored) {
    case (.string(let text), let value), (let value, .string(let text)): value.isNoted(as: text)
    default: false
    }
  }

  /// Whether a text is a notation of the value.
  private func isNoted(as text: String) -> Bool {
    switch self {
    case .uuid(let bytes): UUIDNotation.bytes(text) == UUIDNotation.bytes(UUIDNotation.text(bytes))
    case .date(let seconds):
      DateNotation.seconds(text) == seconds || DateNotation.text(seconds)?.hasSameBytes(as: text) ?? false
    case .decimal(let number): DecimalNotation.normalized(text) == DecimalNotation.normalized(number)
    case .url(let address, base: nil): address.hasSameBytes(as: text)
    default: false
    }
  }
}
