import ArcRuntime

/// The classes of a file, or the classes of the files that a program would write.
package struct StoredSchema {
  /// The class table. The class of the roots comes first.
  package let classes: [ClassDescription]
  /// The layout of each class.
  package let layouts: [ColumnLayout]
  /// The indices of the classes whose objects may have values under unknown keys, because a hand-written
  /// coder writes them. Empty for the schema of a file.
  package let classesWithUnknownKeys: Set<Int>
  /// Whether the schema describes a program, whose files may contain any value of its types.
  package let isOfProgram: Bool

  private let classIndices: [ExactName: Int]
  private let rootPositions: [ExactName: Int]

  /// Creates a schema from a class table and the layouts of its classes.
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

  /// Returns the index of the column of a root. Nil if there is no root with this name.
  func position(ofRoot name: String) -> Int? { rootPositions[ExactName(name)] }

  /// The objects to which a reference can refer, according to the declaration of its column.
  package enum Target {
    /// An object of any class.
    case anyObject
    /// An object of the class at this index in the class table, or of one of its subclasses.
    case family(of: Int)
  }

  /// Returns the possible targets of the references in some columns of a class. A reference has no target if
  /// the file does not contain its declared class. Weak references are omitted because they do not retain
  /// their targets.
  ///
  /// - Parameters:
  ///   - columns: the indices of the columns. Nil means all columns.
  ///   - index: the index of the class.
  /// - Returns: the targets of all references. A target can occur several times.
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
