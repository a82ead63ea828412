/// A field of older files that the program converts to another field, because a structure declares
/// `@Key("older", from:)`.
///
/// In the type encoding with which a structure is read, older fields follow the current fields. The names of
/// older fields begin with NUL and contain the index of the field to which they are converted. Such names do
/// not occur in files.
package struct OlderField: Equatable, Sendable {
  /// The index of the field to which the program converts the older field.
  let targetField: Int
  /// The number of the conversion. Older fields with equal numbers are converted together.
  let conversion: Int

  /// Returns the name of an older field in the type encoding with which a structure is read.
  ///
  /// - Parameters:
  ///   - key: the name of the field in files.
  ///   - targetField: the index of the field to which the older field is converted.
  ///   - conversion: the number of the conversion within its structure.
  /// - Returns: the name.
  package static func name(_ key: String, targetField: Int, conversion: Int) -> String {
    "\0\(targetField)\0\(conversion)\0\(key)"
  }

  /// Parses a name that `name` created. Returns the older field and its name in files. Nil for other names.
  static func parsed(_ name: String) -> (field: OlderField, key: String)? {
    guard name.utf8.first == 0 else { return nil }
    let parts = name.utf8.dropFirst().split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let field = Int(String(Substring(parts[0]))),
      let conversion = Int(String(Substring(parts[1])))
    else { return nil }
    return (OlderField(targetField: field, conversion: conversion), String(Substring(parts[2])))
  }
}
