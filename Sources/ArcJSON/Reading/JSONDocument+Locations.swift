// The locations of values, for error messages.

/// The location of a value in a JSON text.
package struct JSONLocation {
  /// The path from the root, such as `users[3].name`. Empty for the root.
  ///
  /// A name is quoted, as in `users["a b"]`, unless it begins with a letter or `_` and consists of letters,
  /// digits, `_` and `-`.
  package let path: String
  /// The offset of the value in the text, in bytes.
  package let byteOffset: Int
  /// The line of the value, counted from 1.
  package let line: Int
  /// The column of the value in its line, in Unicode scalars, counted from 1.
  package let column: Int
}

extension JSONDocument {
  /// Returns the locations of values or keys. `targets` contains their indices in the document, in ascending
  /// order.
  ///
  /// - Complexity: O(bytes of the text + length of all paths).
  package func locations(of targets: [Int]) -> [JSONLocation] {
    var walk = LocationWalk(document: self)
    var lines = LineCounter(text)
    return targets.map { target in
      let offset = byteOffset(of: target)
      lines.advance(to: offset)
      return JSONLocation(
        path: walk.path(to: target), byteOffset: offset, line: lines.line, column: lines.column)
    }
  }

  /// Returns the step to a member in the notation of paths, such as `.name` or `["a b"]`. The first step of a
  /// path begins without a dot.
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

/// Finds the paths of values in one pass through the entries of a document. The indices of the values must be
/// in ascending order.
private struct LocationWalk {
  let document: JSONDocument
  /// The arrays and objects that contain the target of the last call of `path(to:)`, outermost first.
  private var levels: [Level] = []

  /// The number of steps that are shown at each end of a long path.
  private static let shownStepCount = 20

  private struct Level {
    let index: Int
    /// The index at which the walk continues in this array or object: the index of an element, or of the key
    /// of a member.
    var next: Int
    var position = 0
    /// The step to the element or member at `next`. Nil until it is needed. It is stored because its name can
    /// be long, and many paths can contain it.
    var step: String?
  }

  init(document: JSONDocument) {
    self.document = document
    if document.word(at: 0).isContainer { levels = [Level(index: 0, next: 2)] }
  }

  /// Returns the path to a value. `target` must not be before the target of the last call.
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
      // The path of a key is the path of its value.
      let value = isObject ? next + 1 : next
      guard target > value, document.word(at: value).isContainer else { break }
      levels.append(Level(index: value, next: value + 2))
    }
    var path = ""
    let stepCount = levels.prefix { target > $0.index }.count
    for number in 0..<stepCount {
      // The middle of a long path is omitted.
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
