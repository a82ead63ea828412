import ArcMemory

/// The archivable types of the program. Generic types and hand-written subclasses are not included.
enum ProgramTypes {
  /// All archivable types that are loaded. Empty if the runtime's conformance records cannot be read.
  ///
  /// - Complexity: O(conformances in the program): some hundred microseconds.
  static var all: [Any.Type] { areFound ? find() : [] }

  /// Whether two types of Arc are found.
  private static let areFound: Bool = {
    let types = find()
    return types.contains { $0 == Int.self } && isFound(Probe.self, by: Probe.Announcement.self, in: types)
  }()

  private enum Probe {
    enum Announcement: __Announcement {}
  }

  /// Whether a type is among others by what announces it. Never inlined: the optimizer leaves out an
  /// announcement that nothing names, as schemas name those of classes.
  @inline(never) private static func isFound(
    _ type: Any.Type, by announcement: any __Announcement.Type, in types: [Any.Type]
  ) -> Bool {
    types.contains { $0 == type } && announcement != type
  }

  private static func find() -> [Any.Type] {
    (ConformingTypes.all(of: (any ArchivableValue).self, returnsEnclosing: false) ?? [])
      + (ConformingTypes.all(of: (any __Announcement).self, returnsEnclosing: true) ?? [])
  }

  /// The types of the program, archivable or not, that conform to what a property is declared as, but for
  /// subclasses of these; nil where that may be any type. Of several protocols only the first counts.
  static func conforming(to interface: Any.Type) -> [Any.Type]? {
    areFound ? ConformingTypes.all(of: interface, returnsEnclosing: false) : nil
  }
}
