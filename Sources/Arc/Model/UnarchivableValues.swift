import ArcFormat

// Why a value cannot be archived of which the declared type says only what it conforms to.

extension ArchiveError {
  /// The error for a value of a type that is not archivable, or is not where it is used.
  ///
  /// - Parameters:
  ///   - type: what the value is at run time.
  ///   - interface: what its property is declared as.
  /// - Returns: an error with code `notArchivable`, and what can be done about it.
  static func notArchivable(_ type: Any.Type, as interface: Any.Type) -> ArchiveError {
    let found = "a value of type '\(type)' as '\(interface)'"
    // The conformance of such a type is none outside of its actor.
    if ProgramTypes.all.contains(where: { $0 == type }) { return ActorIsolation.error(outside: found) }
    return ArchiveError(
      .notArchivable, found: found, expected: "a value of an archivable type", remedy: remedy(for: type))
  }

  private static func remedy(for type: Any.Type) -> String {
    let name = "\(type)"
    // A type with a name begins with it.
    if name.hasPrefix("(") || name.hasPrefix("@") {
      return "a tuple or function has no name: put a value of a structure with @Archivable in its place"
    }
    if ["NSNumber", "NSString", "NSNull"].contains(name) {
      return "import ArcFoundation, which archives it, or put a value of Swift in its place"
    }
    if name.contains("<"), String(reflecting: type).hasPrefix("Swift.") {
      return
        "declare a property of an archivable type for its parts, such as '[any P]', in an @Archivable structure, "
        + "and archive the structure instead"
    }
    return "mark the type with @Archivable"
  }
}
