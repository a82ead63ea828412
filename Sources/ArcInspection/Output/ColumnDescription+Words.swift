import ArcFormat
import ArcRuntime

/// Text about a column, for the commands `classes` and `info`.
extension ColumnDescription {
  /// The type encoding: `@"Person"`.
  var typeText: String { attributes.type?.description ?? "" }

  /// The type of the values: "reference to Person".
  var typeInWords: String { attributes.type?.explanation ?? "no type code" }

  /// The attribute string: `T@"Person",N,W,V_mother`.
  var attributesText: String { attributes.description }

  /// The attributes: "weak reference to Person, ivar _mother".
  var attributesInWords: String { attributes.explanation }

  /// The meaning of each flag.
  var flagsInWords: [String] {
    var words: [String] = []
    if flags.contains(.construction) { words.append("needed to construct the object") }
    if flags.contains(.keyed) { words.append("hand-written coder, may be absent") }
    return words
  }
}
