public import ArcRuntime

/// A difference between the schemas of a file and a program, and its effect on reading the file.
///
///     for difference in try Unarchiver().differences(in: file, readAs: Document.self) { print(difference) }
///     // checked: class 'Line', key 'width': the file has type 'Int' (encoding 'q'), the program type …
public struct SchemaDifference: Hashable, Sendable {
  /// The effect of a difference on reading. The cases are in order, from the best to the worst effect.
  public enum Effect: Int, CaseIterable, Comparable, Sendable {
    /// Nothing is lost, whatever the values are. For example, a property is new, was renamed, or became
    /// optional.
    case compatible
    /// Each value is converted to an equivalent value, such as an `Int32` to an `Int`.
    case converted
    /// Each value is converted if it fits the program's type. Otherwise, reading throws an error.
    ///
    /// The effect also applies if values in the file may lack a field or associated value. Arc then cannot
    /// determine whether the file contains such values, or whether the field has an initial value.
    case checked
    /// The program does not read a part of the file, so this part is lost when the graph is archived again.
    case lossy
    /// The file cannot be read.
    case refused

    /// Returns whether the left effect is better than the right effect.
    public static func < (left: Effect, right: Effect) -> Bool { left.rawValue < right.rawValue }
  }

  /// The effect of the difference on reading.
  public let effect: Effect
  /// The coded name of the class in the file. Nil if the difference is about a root.
  public let className: String?
  /// The key of the property, or the name of the root. Nil if the difference is about a class as a whole.
  public let key: String?
  /// A description of what the file contains, such as a type or a class.
  public let found: String
  /// A description of what the program declares, such as a type or a class.
  public let expected: String
  /// The type of the property or root in the file.
  ///
  /// Nil if the file has no such property or root, or if the difference is about a class as a whole.
  public let fileType: TypeEncoding?
  /// The type of the property or root in the program.
  ///
  /// Nil if the program has no such property or root, or if the difference is about a class as a whole.
  public let programType: TypeEncoding?
  /// An action that removes the difference or its effect. Nil if Arc suggests no action.
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
  /// The difference as a string on one line.
  public var description: String {
    let subject = [
      className.map { "class '\($0)'" }, key.map { className == nil ? "root '\($0)'" : "key '\($0)'" },
    ]
    // Names in a file can contain line breaks.
    return printable(
      "\(effect): " + subject.compactMap { $0 }.joined(separator: ", ") + ": the file has \(found), "
        + "the program has \(expected)" + (remedy.map { "; " + $0 } ?? ""))
  }
}
