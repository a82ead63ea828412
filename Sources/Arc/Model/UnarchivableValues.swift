import ArcFormat

// Errors for values that cannot be archived, in a property whose declared type states only a protocol.

extension ArchiveError {
  /// Returns the error for a value whose type is not archivable, or is not archivable for this caller.
  ///
  /// - Parameters:
  ///   - type: the type of the value at run time.
  ///   - interface: the declared type of the property.
  /// - Returns: an error with code `notArchivable` and a remedy.
  static func notArchivable(_ type: Any.Type, as interface: Any.Type) -> ArchiveError {
    let found = "a value of type '\(type)' as '\(interface)'"
    // A conformance that is isolated to an actor does not exist outside the actor.
    if ProgramTypes.all.contains(where: { $0 == type }) { return ActorIsolation.error(outside: found) }
    return ArchiveError(
      .notArchivable, found: found, expected: "a value of an archivable type", remedy: remedy(for: type))
  }

  private static func remedy(for type: Any.Type) -> String {
    let name = "\(type)"
    // The description of a tuple or function begins with another character than a name.
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
