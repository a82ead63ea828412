import ArcRuntime

/// Classes as a file has them, or as files of a program would.
package struct StoredSchema {
  /// The class table, the class of the roots first.
  package let classes: [ClassDescription]
  /// The columns of each class.
  package let layouts: [ColumnLayout]
  /// The classes whose objects may have values under keys that are not known: the schema is that of a
  /// program, where code by hand writes them.
  package let classesWithUnknownKeys: Set<Int>
  /// Whether the schema is that of a program, whose files may have any values of its types.
  package let isOfProgram: Bool

  private let classIndices: [ExactName: Int]
  private let rootPositions: [ExactName: Int]

  /// Describes the classes of a file, or of those of a program.
  ///
  /// - Complexity: O(classes + roots).
  package init(
    classes: [ClassDescription], layouts: [ColumnLayout], classesWithUnknownKeys: Set<Int> = [],
    isOfProgram: Bool = false
  ) {
    self.isOfProgram = isOfProgram
    self.classes = classes
    self.layouts = layouts
    self.classesWithUnknownKeys = classesWithUnknownKeys
    classIndices = Self.firstIndices(of: classes.map(\.name))
    rootPositions = Self.firstIndices(of: classes.first.map { $0.columns.map(\.key) } ?? [])
  }

  private static func firstIndices(of names: [String]) -> [ExactName: Int] {
    Dictionary(names.enumerated().map { (ExactName($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The column of a root; nil if there is none with that name.
  func position(ofRoot name: String) -> Int? { rootPositions[ExactName(name)] }

  /// Where a reference may lead, by what its column declares.
  package enum Target {
    /// To objects of any class.
    case anyObject
    /// To objects of a class, given by its index, or of one of its subclasses.
    case family(of: Int)
  }

  /// Where references in some columns of a class may lead; those that declare a class which the file does not
  /// have lead nowhere. Weak references are left out: they keep nothing.
  ///
  /// - Parameters:
  ///   - columns: the indices of the columns; nil for all.
  ///   - index: the index of the class.
  /// - Returns: a target for each reference, some of them perhaps several times.
  /// - Complexity: O(nodes of these columns).
  package func targets(ofColumns columns: Set<Int>?, ofClassAt index: Int) -> [Target] {
    let layout = layouts[index]
    let roots = columns.map { $0.sorted() } ?? Array(layout.roots.indices)
    return roots.flatMap { layout.nodes(ofRoot: $0) }.compactMap { node -> Target? in
      guard layout.nodes[node].kind == .reference else { return nil }
      guard let name = layout.nodes[node].name else { return .anyObject }
      return classIndices[ExactName(name)].map { .family(of: $0) }
    }
  }
}
