/// A field of older files that the program converts to another field: `@Key("older", from:)` in a
/// structure.
///
/// The type encoding of a structure that is read has these fields after its own fields. Their names begin
/// with NUL, and state which field is converted from them. Files do not have these names.
package struct OlderField: Equatable, Sendable {
  /// The index of the field that the program converts it to.
  let madeField: Int
  /// The number of the conversion: fields with one number are converted together.
  let conversion: Int

  /// The name of an older field in the type encoding of a structure that is read.
  ///
  /// - Parameters:
  ///   - key: the name that files have.
  ///   - madeField: the index of the field that the older field is converted to.
  ///   - conversion: the number of the conversion in its structure.
  /// - Returns: the name.
  package static func name(_ key: String, madeField: Int, conversion: Int) -> String {
    "\0\(madeField)\0\(conversion)\0\(key)"
  }

  /// Returns what `name` put into a name, and the name that files have; nil for all other names.
  static func parsed(_ name: String) -> (field: OlderField, key: String)? {
    guard name.utf8.first == 0 else { return nil }
    let parts = name.utf8.dropFirst().split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let field = Int(String(Substring(parts[0]))),
      let conversion = Int(String(Substring(parts[1])))
    else { return nil }
    return (OlderField(madeField: field, conversion: conversion), String(Substring(parts[2])))
  }
}
