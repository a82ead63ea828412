import ArcRuntime

/// The path from a root, or from an object, to a value: `root.people[3].address`, `#17.name`.
///
/// Errors and `arcdump` print paths in this notation. `LazyArchive.object(_:at:)` and `arcdump` accept paths
/// in this notation as arguments. The article `Paths` contains the grammar.
///
///     let path = try ValuePath(parsing: #"root.index["ada"].size.width"#)
///     path.steps[1]             // the value of the key "ada"
///     path.description          // root.index["ada"].size.width
package struct ValuePath: Hashable, Sendable, CustomStringConvertible {
  /// The value from which a path starts.
  package enum Start: Hashable, Sendable {
    /// The only root of a file. The path omits its name.
    case onlyRoot
    /// The root with a name. In a file with only one root, the name may also be the name of a property of the
    /// root's value.
    case root(Name)
    /// The object with a number in the file.
    case object(ObjectID)
  }

  /// A step from a value to a nested value, or from a reference to a value in its target.
  package enum Step: Hashable, Sendable {
    /// A property, a field or a case: `.name`. An element of a tuple or an associated value without a label
    /// is named by its index: `.size.1`. In a dictionary, the steps `.keys` and `.values` precede the index
    /// of an entry.
    case name(Name)
    /// An element of an array or set, or the value for an integer key: `[3]`.
    case index(Int128)
    /// The value for a dictionary key: `["ada"]`, `[true]`, `[.left]`.
    case key(Key)
  }

  /// A dictionary key that is written as a literal. For an integer key, ``Step/index(_:)`` is used instead.
  package enum Key: Hashable, Sendable {
    /// A string: `"ada"`.
    case text(Name)
    /// A Boolean: `true`.
    case bool(Bool)
    /// A case without associated values: `.left`.
    case enumerationCase(Name)
  }

  /// The value from which the path starts.
  package let start: Start
  /// The steps from the start to the value.
  package let steps: [Step]

  /// Creates a path from its start and its steps.
  package init(start: Start, steps: [Step] = []) {
    self.start = start
    self.steps = steps
  }

  /// The path in its notation. Parsing the result returns an equal path.
  package var description: String { start.text + steps.map { $0.text }.joined() }
}

// MARK: Names

extension ValuePath {
  /// A name in a path: the name of a root, property, field or case, or a string that is a dictionary key.
  package struct Name: Hashable, Sendable {
    private let exact: ExactName

    /// Creates a name.
    package init(_ text: String) { exact = ExactName(text) }

    /// The name as a string.
    package var text: String { exact.text }

    /// Whether this name and a name in a file are equal, byte for byte.
    package func means(_ name: String) -> Bool { text.hasSameBytes(as: name) }

    /// Whether this name is the truncated form of a name or string in a file. Errors truncate long names and
    /// append `…`.
    package func abbreviates(_ name: String) -> Bool {
      mayBeTruncated && text.hasSameBytes(as: Name(name).truncated)
    }

    /// Whether this name is equal to a name in a file, or is its truncated form.
    package func selects(_ name: String) -> Bool { means(name) || abbreviates(name) }

    fileprivate var mayBeTruncated: Bool { text.unicodeScalars.last == "…" }

    /// The truncated form of the name. Examines only the beginning of the name, because a file can repeat a
    /// long name in each row, and a single character can be as long as the name.
    fileprivate var truncated: String {
      let (start, restByteCount) = text.cut(toScalars: 4 * Self.maximumLength)
      let short = start.prefix(Self.maximumLength)
      return restByteCount > 0 || short.endIndex < start.endIndex ? short + "…" : text
    }

    /// The maximum number of characters of a truncated name.
    private static let maximumLength = 60
  }
}

extension Sequence {
  /// Returns the first element with the name. If no element has the name, returns the first element whose
  /// truncated name is `name`. Returns nil if there is no such element. Elements without a name are skipped.
  package func first(named name: ValuePath.Name, _ nameOf: (Element) -> String?) -> Element? {
    if let found = first(where: { nameOf($0).map(name.means) ?? false }) { return found }
    return !name.mayBeTruncated ? nil : first { nameOf($0).map(name.abbreviates) ?? false }
  }
}

// MARK: Steps

extension ValuePath.Step {
  /// Returns the step to a property, a field or a case.
  package static func name(_ text: String) -> Self { .name(ValuePath.Name(text)) }

  /// Returns the step to a field. If the field has no name, such as an associated value without a label, the
  /// step contains its index.
  package static func field(_ name: String, at index: Int) -> Self {
    .name(name.isEmpty ? "\(index)" : name)
  }

  /// Returns the step to an element of an array or set. Elements of a set are in the order of the file.
  package static func element(_ index: Int) -> Self { .index(Int128(index)) }

  /// The name in the step. Nil if the step is written in brackets.
  package var name: ValuePath.Name? { if case .name(let name) = self { name } else { nil } }
}

extension [ValuePath.Step] {
  /// Returns the steps to a key of a dictionary. `index` is the index of the entry with this key.
  package static func key(at index: Int) -> Self { [.name("keys"), .element(index)] }

  /// Returns the steps to a value in a dictionary. If the key of the value has a literal, `step` is the step
  /// with this literal. Otherwise, `step` is nil, and the result contains the index of the entry.
  package static func value(_ step: ValuePath.Step?, at index: Int) -> Self {
    step.map { [$0] } ?? [.name("values"), .element(index)]
  }

  /// The steps in the notation of errors, in which long names are truncated.
  package var shortText: String { lazy.map { $0.shortText }.joined() }
}

// MARK: Printing

extension ValuePath.Start {
  /// The start in its notation.
  package var text: String { text(truncated: false) }

  /// The start in its notation. A long name is truncated.
  package var shortText: String { text(truncated: true) }

  private func text(truncated: Bool) -> String {
    switch self {
    case .onlyRoot: return ""
    case .object(let id): return "#\(id.rawValue)"
    case .root(let name):
      let text = ValuePath.notation(of: name, truncated: truncated)
      // Without backticks, a name that begins with a digit could be mistaken for the number of an object.
      let isNumber = text.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
      return isNumber ? "`" + text + "`" : text
    }
  }
}

extension ValuePath.Step {
  /// The step in its notation.
  package var text: String { text(truncated: false) }

  /// The step in its notation. A long name is truncated.
  package var shortText: String { text(truncated: true) }

  private func text(truncated: Bool) -> String {
    switch self {
    case .name(let name): "." + ValuePath.notation(of: name, truncated: truncated)
    case .index(let index): "[\(index)]"
    case .key(.text(let name)): "[" + ValuePath.literal(of: name, truncated: truncated) + "]"
    case .key(.bool(let flag)): "[\(flag)]"
    case .key(.enumerationCase(let name)):
      "[." + ValuePath.notation(of: name, truncated: truncated) + "]"
    }
  }
}

extension ValuePath {
  /// Returns the notation of a name. The name is in backticks and contains escapes, unless it is a word.
  package static func notation(of name: Name, truncated: Bool = false) -> String {
    let short = truncated ? name.truncated : name.text
    if isWord(name.text) { return short }
    // An escape must differ from a name that contains the characters of the escape.
    let parts = short.unicodeScalars.split(separator: "\\", omittingEmptySubsequences: false).map { part in
      part.split(separator: "`", omittingEmptySubsequences: false).map { printable(String($0)) }
        .joined(separator: "\\u{60}")
    }
    return "`" + parts.joined(separator: "\\u{5c}") + "`"
  }

  /// Returns the notation of a string that is a dictionary key: a Swift string literal on one line.
  package static func literal(of name: Name, truncated: Bool = false) -> String {
    printable(truncated ? name.truncated : name.text, quoted: true)
  }

  /// Whether a name does not need backticks.
  private static func isWord(_ name: String) -> Bool {
    // Fast path: most names.
    if name.utf8.allSatisfy({ isASCIIWordByte($0) }) { return !name.isEmpty }
    return (name.unicodeScalars.first.map(startsWord) ?? false)
      && name.unicodeScalars.allSatisfy(continuesWord) && printable(name) == name
  }

  private static func isASCIIWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether a scalar can be the first of a name without backticks.
  package static func startsWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return isASCIIWordByte(UInt8(truncatingIfNeeded: scalar.value)) }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Whether a scalar can follow the first scalar of a name without backticks.
  package static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
    if startsWord(scalar) { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }
}
