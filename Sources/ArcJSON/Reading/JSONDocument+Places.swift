// The way to a value, for people.

/// Where in a text a value is.
package struct JSONPlace {
  /// The way from the root: `users[3].name`, and of what is no name by itself `users["a b"]`; empty for the
  /// root.
  package let path: String
  /// How many bytes come before it.
  package let byteOffset: Int
  /// The line, counted from 1.
  package let line: Int
  /// The place in its line, counted in Unicode scalars from 1.
  package let column: Int
}

extension JSONDocument {
  /// The places of entries, in ascending order of these.
  ///
  /// - Complexity: O(bytes + paths) for all together.
  package func places(of targets: [Int]) -> [JSONPlace] {
    var walk = PathWalk(document: self)
    var lines = LineCounter(text)
    return targets.map { target in
      let offset = byteOffset(of: target)
      lines.advance(to: offset)
      return JSONPlace(
        path: walk.path(to: target), byteOffset: offset, line: lines.line, column: lines.column)
    }
  }

  /// A step to a member.
  package static func step(to name: String, isFirst: Bool) -> String {
    let isWord =
      (name.unicodeScalars.first.map { $0 == "_" || $0.properties.isAlphabetic } ?? false)
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || ("0"..."9") ~= $0
      }
    let name = name.printable
    if isWord { return isFirst ? name : "." + name }
    var quoted = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    return "[\"\(String(quoted))\"]"
  }
}

/// Goes through the entries of a document once, from one that is asked for to the next.
private struct PathWalk {
  let document: JSONDocument
  /// The arrays and objects around the last entry, and in each the entry to go on with.
  private var levels: [Level] = []

  /// How many steps of a long path are shown at its beginning, and at its end.
  private static let shownStepCount = 20

  private struct Level {
    let index: Int
    var next: Int
    var position = 0
    /// The step to that entry, once it was made: its name can be as long as the text, and lead to very many.
    var step: String?
  }

  init(document: JSONDocument) {
    self.document = document
    if document.word(at: 0).isContainer { levels = [Level(index: 0, next: 2)] }
  }

  /// The path to an entry that is not before one that was asked for.
  mutating func path(to target: Int) -> String {
    while let level = levels.last, target >= document.end(of: level.index), levels.count > 1 {
      levels.removeLast()
    }
    while let level = levels.last, target > level.index {
      let isObject = document.word(at: level.index).kind == .object
      var next = level.next
      var position = level.position
      while document.end(of: isObject ? next + 1 : next) <= target {
        next = document.end(of: isObject ? next + 1 : next)
        position += 1
      }
      if next != level.next {
        levels[levels.count - 1] = Level(index: level.index, next: next, position: position)
      }
      // A key leads to its value.
      let value = isObject ? next + 1 : next
      guard target > value, document.word(at: value).isContainer else { break }
      levels.append(Level(index: value, next: value + 2))
    }
    var path = ""
    let stepCount = levels.prefix { target > $0.index }.count
    for number in 0..<stepCount {
      // The way to something deep is cut in the middle.
      if number >= Self.shownStepCount, number < stepCount - Self.shownStepCount {
        if number == Self.shownStepCount { path += "…" }
        continue
      }
      path += step(ofLevel: number)
    }
    return path
  }

  private mutating func step(ofLevel number: Int) -> String {
    let level = levels[number]
    if let known = level.step { return known }
    let step =
      document.word(at: level.index).kind == .object
      ? JSONDocument.step(to: document.string(at: level.next), isFirst: number == 0) : "[\(level.position)]"
    levels[number].step = step
    return step
  }
}
