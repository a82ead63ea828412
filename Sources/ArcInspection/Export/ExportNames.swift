import ArcFormat

/// Names of tables, columns or files, each different from the others, whatever a file calls its things.
///
///     var names = ExportNames(.file)
///     names.unique("Person")   // Person
///     names.unique("PERSON")   // PERSON_2: some file systems know no case
///     names.unique("../x")     // ___x
struct ExportNames {
  /// What a name may contain.
  enum Rule {
    /// What can be shown: names in SQL are quoted. SQLite keeps names that begin with `sqlite_` for itself.
    case sql
    /// Letters, digits, `_`, `-`, `$` and dots that are not the first: a name of a file on any system, and of
    /// anything else that knows no quotes.
    case file
  }

  /// Longer names are cut: with a number and an extension they are still names of files.
  private static let scalarCount = 60

  private let rule: Rule
  private var taken: Set<String> = []
  /// For a name that was asked for again, the last number that was added.
  private var numbers: [String: Int] = [:]

  init(_ rule: Rule) { self.rule = rule }

  /// A name like another one that was not returned before: with what may not be in it replaced by `_`, and a
  /// number added if there is one that differs in the case of letters only.
  ///
  /// - Complexity: O(length), whatever names there are.
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

  /// Whether Windows takes a name, with whatever extension, for a device.
  private static func isDevice(_ name: String) -> Bool {
    let stem = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)[0]
    return ["con", "prn", "aux", "nul"].contains(stem)
      || stem.count == 4 && (stem.hasPrefix("com") || stem.hasPrefix("lpt"))
  }
}
