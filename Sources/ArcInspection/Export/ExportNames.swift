import ArcFormat

/// Unique names of tables, columns or files, derived from arbitrary names in an archive.
///
///     var names = ExportNames(.file)
///     names.unique("Person")   // Person
///     names.unique("PERSON")   // PERSON_2: some file systems ignore case
///     names.unique("../x")     // ___x
struct ExportNames {
  /// The characters that a name may contain.
  enum Rule {
    /// All printable characters, because names in SQL are quoted. A name must not begin with `sqlite_`, which
    /// SQLite reserves.
    case sql
    /// Letters, digits, `_`, `-`, `$`, and dots except at the beginning. Such a name is a valid file name on
    /// every system, and is valid in formats without quoted names.
    case file
  }

  /// The maximum length of a name in Unicode scalars, not counting an appended number. The limit leaves space
  /// for a number and a file extension.
  private static let scalarCount = 60

  private let rule: Rule
  private var taken: Set<String> = []
  /// The number that was last appended to each name, by the name in lower case. Contains only names that were
  /// requested more than once.
  private var numbers: [String: Int] = [:]

  init(_ rule: Rule) { self.rule = rule }

  /// Returns a name that was not returned before, similar to `name`. Invalid characters are replaced by `_`.
  /// A number is added if the name was returned before. Upper and lower case are not distinguished.
  mutating func unique(_ name: String) -> String {
    let base = clean(name)
    let folded = base.lowercased()
    if taken.insert(folded).inserted { return base }
    var number = numbers[folded] ?? 1
    repeat { number += 1 } while !taken.insert("\(folded)_\(number)").inserted
    numbers[folded] = number
    return "\(base)_\(number)"
  }

  private func clean(_ name: String) -> String {
    var filter = PrintableFilter()
    var clean = String.UnicodeScalarView()
    for scalar in name.cut(toScalars: Self.scalarCount).start.unicodeScalars {
      let isShown = filter.shows(scalar)
      clean.append(isShown && (rule == .sql || Self.isInFileNames(scalar)) ? scalar : "_")
    }
    let text = String(clean)
    switch rule {
    case .sql: return text.isEmpty || text.lowercased().hasPrefix("sqlite_") ? "_" + text : text
    case .file: return text.isEmpty || text.hasPrefix(".") || Self.isDevice(text) ? "_" + text : text
    }
  }

  private static func isInFileNames(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || "_-$.".unicodeScalars.contains(scalar)
  }

  /// Whether Windows treats a name as the name of a device, regardless of its extension.
  private static func isDevice(_ name: String) -> Bool {
    let stem = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)[0]
    return ["con", "prn", "aux", "nul"].contains(stem)
      || stem.count == 4 && (stem.hasPrefix("com") || stem.hasPrefix("lpt"))
  }
}
