import ArcRuntime

extension SchemaSnapshot {
  /// Returns the lines that differ from another snapshot, for a person who reviews the changes.
  ///
  ///     for line in schema.changedLines(since: old) { print(line) }
  ///
  /// For each changed root or class, the result contains the first line of the root or class, the removed
  /// lines with the prefix `-`, and the added lines with the prefix `+`.
  ///
  /// - Parameter old: the other snapshot.
  /// - Returns: the lines; empty if the snapshots are equal.
  public func changedLines(since old: SchemaSnapshot) -> [String] {
    let sections = sections
    var before = Dictionary(
      old.sections.map { (ExactName($0.name), $0.lines) }, uniquingKeysWith: { first, _ in first })
    var changed: [String] = []
    for section in sections {
      let changes = Self.changes(
        from: before.removeValue(forKey: ExactName(section.name)) ?? [], to: section.lines)
      // The first line identifies the root or class.
      guard changes.contains(where: { !$0.hasPrefix(" ") }) else { continue }
      changed += changes.enumerated().filter { $0 == 0 || !$1.hasPrefix(" ") }.map(\.element)
    }
    let gone = old.sections.filter { before[ExactName($0.name)] != nil }
    return changed + gone.flatMap { $0.lines.map { "- " + $0 } }
  }

  /// The lines of a root or of a class.
  private struct Section {
    /// The word `root` or `class`, and the name of the root or class. The name identifies the section.
    let name: String
    var lines: [String]
  }

  private var sections: [Section] {
    var names = roots.map { "root " + $0.name } + classes.map { "class " + $0.name }
    var sections: [Section] = []
    for line in lines.dropFirst() where !line.isEmpty {
      if line.hasPrefix(" ") {
        sections[sections.count - 1].lines.append(line)
      } else {
        sections.append(Section(name: names.removeFirst(), lines: [line]))
      }
    }
    return sections
  }

  /// Returns all lines of both lists. Each line gets a prefix: `-` if it is only in `old`, `+` if it is only
  /// in `new`, and otherwise a space.
  private static func changes(from old: [String], to new: [String]) -> [String] {
    let difference = new.difference(from: old) { $0.hasSameBytes(as: $1) }
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [String] = []
    var (position, oldPosition) = (0, 0)
    while position < new.count || oldPosition < old.count {
      if removed.contains(oldPosition) {
        lines.append("- " + old[oldPosition])
        oldPosition += 1
      } else if inserted.contains(position) {
        lines.append("+ " + new[position])
        position += 1
      } else {
        lines.append("  " + new[position])
        (position, oldPosition) = (position + 1, oldPosition + 1)
      }
    }
    return lines
  }
}
