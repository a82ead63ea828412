import ArcMemory

/// The archivable types of the program. Generic types and hand-written subclasses are not included.
enum ProgramTypes {
  /// All archivable types that are loaded. Empty if the runtime's conformance records cannot be read.
  ///
  /// - Complexity: O(conformances in the program): some hundred microseconds.
  static var all: [Any.Type] { areFound ? find() : [] }

  /// Whether the search finds types in this process. True if it finds two types that Arc itself declares.
  private static let areFound: Bool = {
    let types = find()
    return types.contains { $0 == Int.self } && isFound(Probe.self, by: Probe.Announcement.self, in: types)
  }()

  private enum Probe {
    enum Announcement: __Announcement {}
  }

  /// Returns whether `types` contains `type`, which can be found only through `announcement`.
  ///
  /// The optimizer removes announcements to which no code refers. The call of this function refers to
  /// `announcement`, so the function is never inlined. Classes need no such call, because the schema of a
  /// class refers to the announcement of the class.
  @inline(never) private static func isFound(
    _ type: Any.Type, by announcement: any __Announcement.Type, in types: [Any.Type]
  ) -> Bool {
    types.contains { $0 == type } && announcement != type
  }

  private static func find() -> [Any.Type] {
    (ConformingTypes.all(of: (any ArchivableValue).self, returnsEnclosing: false) ?? [])
      + (ConformingTypes.all(of: (any __Announcement).self, returnsEnclosing: true) ?? [])
  }

  /// Returns the types of the program, archivable or not, that conform to the declared type of a property,
  /// without the subclasses of these types. If the declared type has several protocols, only the first is
  /// used. Nil if the declared type is not a protocol of Swift, or if the types of the program cannot be
  /// found. The caller must then permit every type.
  static func conforming(to interface: Any.Type) -> [Any.Type]? {
    areFound ? ConformingTypes.all(of: interface, returnsEnclosing: false) : nil
  }
}
