public import ArcRuntime

/// Something that a file has otherwise than the program that would read it, and what reading does about it.
///
///     for difference in try Unarchiver().differences(in: file, readAs: Document.self) { print(difference) }
///     // checked: class 'Line', key 'width': the file has type 'Int' (encoding 'q'), the program type …
public struct SchemaDifference: Hashable, Sendable {
  /// What reading does about a difference, from the best to the worst.
  public enum Effect: Int, CaseIterable, Comparable, Sendable {
    /// Nothing is lost, whatever the values: something is new, was renamed, or became optional.
    case compatible
    /// Each value becomes another that says the same, such as an `Int32` that becomes an `Int`.
    case converted
    /// Each value is converted if it fits, and one that does not is an error: only the values tell. So it is
    /// with a field or associated value that the file lacks and that must have an initial value, where it is
    /// not known whether it has, or whether there is such a value in the file.
    case checked
    /// Something is not read, and will not be there when the graph is archived again.
    case lossy
    /// The file cannot be read.
    case refused

    /// Whether the left effect is better than the right one.
    public static func < (left: Effect, right: Effect) -> Bool { left.rawValue < right.rawValue }
  }

  /// What reading does about it.
  public let effect: Effect
  /// The coded name of the class in the file; nil for a root.
  public let className: String?
  /// The key of the property, or the name of the root; nil if the whole class differs.
  public let key: String?
  /// What the file has.
  public let found: String
  /// What the program has.
  public let expected: String
  /// The type in the file; nil if it has none there, or the whole class differs.
  public let fileType: TypeEncoding?
  /// The type in the program; nil if it has none there, or the whole class differs.
  public let programType: TypeEncoding?
  /// What to do about it; nil if nothing need be done.
  public let remedy: String?

  package init(
    _ effect: Effect, className: String?, key: String?, found: String, expected: String,
    fileType: TypeEncoding? = nil, programType: TypeEncoding? = nil, remedy: String? = nil
  ) {
    self.effect = effect
    self.className = className
    self.key = key
    self.found = found
    self.expected = expected
    self.fileType = fileType
    self.programType = programType
    self.remedy = remedy
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// The difference in one line.
  public var description: String {
    let place = [
      className.map { "class '\($0)'" }, key.map { className == nil ? "root '\($0)'" : "key '\($0)'" },
    ]
    // Names in a file may have line ends in them.
    return printable(
      "\(effect): " + place.compactMap { $0 }.joined(separator: ", ") + ": the file has \(found), "
        + "the program \(expected)" + (remedy.map { "; " + $0 } ?? ""))
  }
}
