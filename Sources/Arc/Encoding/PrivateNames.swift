import ArcFormat
import ArcRuntime

/// Refuses objects of private types that could not be read again, because another source file has a private
/// type with the same name.
///
/// Archives do not store the source file of a type, and no code can name both types to select one.
enum PrivateNames {
  /// The classes whose check succeeded.
  private static let checked = CheckedClasses()

  /// Checks that a reader will find each class in `types` by its coded name, and will find no other class by
  /// this name.
  ///
  /// - Parameters:
  ///   - types: classes of private types in an archive.
  ///   - roots: the types of the roots. An object may be read as its superclass.
  /// - Throws: `ArchiveError` with code `nameConflict`.
  static func check(_ types: [any Archivable.Type], roots: [any ArchivableValue.Type]) throws {
    let roots = roots.map(topmost)
    let unchecked = types.filter { !checked.contains($0, roots: roots) }
    if unchecked.isEmpty { return }
    // The reading program uses a class table with registered classes, or an empty one.
    let tables = [
      ReachableClasses(ClassTable(), roots: roots), ReadabilityCheck.classes(from: roots, scope: .program),
    ]
    for type in unchecked {
      guard !hasNamesake(type) || tables.contains(where: { isFound(type, in: $0) }) else {
        throw conflict(type)
      }
      checked.insert(type, roots: roots)
    }
  }

  /// Whether another private type of the program has the same Swift name as the class. Ignores types that
  /// declare a coded name.
  private static func hasNamesake(_ type: any Archivable.Type) -> Bool {
    guard let own = unnamed(type) else { return false }
    // `String(describing:)` returns the same text, but first searches all conformances of the program.
    let ownName = _typeName(own, qualified: false)
    return ProgramTypes.all.contains { other in
      other != own && _typeName(other, qualified: false) == ownName && unnamed(other) != nil
    }
  }

  /// Returns a type, or the type of the value in a box. Nil if the type is not private, or has a coded name
  /// of its own.
  private static func unnamed(_ type: Any.Type) -> Any.Type? {
    let archived = (type as? any AnyValueBox.Type)?.valueType ?? type
    guard ReachableClasses.isPrivate(archived) else { return nil }
    let name =
      (archived as? any Archivable.Type)?.archiveSchema.name
      ?? (archived as? any ArchivableValue.Type)?.__archiveName.text
    return name.map { $0.hasSameBytes(as: __ArchiveName(of: archived).text) } ?? false ? archived : nil
  }

  /// Returns the topmost archivable superclass of a class. Returns a type that is not a class unchanged.
  private static func topmost(_ type: any ArchivableValue.Type) -> any ArchivableValue.Type {
    (type as? any Archivable.Type)?.archiveSchema.lineage.last?.type ?? type
  }

  /// Whether a reader finds this class, and no other class, by its coded name. If the search fails for
  /// another reason than a name conflict, returns true: reading the archive reports this error.
  private static func isFound(_ type: any Archivable.Type, in reachable: ReachableClasses) -> Bool {
    do { return try reachable.type(named: type.archiveSchema.name).map { $0 == type } ?? true } catch {
      return (error as? ArchiveError)?.code != .nameConflict
    }
  }

  private static func conflict(_ type: any Archivable.Type) -> ArchiveError {
    let name = type.archiveSchema.name
    return ArchiveError(
      .nameConflict,
      found:
        "an object of the private type '\(name)', whose coded name also belongs to another type of the program",
      expected: "distinct coded names, because archives do not store the source file of a type",
      remedy: "give one of the types another coded name with @Archivable(\"…\")", className: name)
  }
}
