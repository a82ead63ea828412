extension SchemaComparison {
  /// Compares each class of the file that has objects. A class is needed if a reference that the program
  /// reads can refer to it. Differences of a class that is not needed do not prevent reading. Spec:
  /// 06-evolution, section 6.
  ///
  /// For a class that is not needed and could not be read, the result is a single lossy difference.
  ///
  /// - Parameters:
  ///   - roots: the indices of the root columns that the program reads. Nil if references to all classes are
  ///     possible.
  ///   - objects: returns a description of the objects of a class, for the difference. Nil if the class has
  ///     no objects in the file.
  ///   - compare: compares a class with the program's class that reads it. Returns the indices of the columns
  ///     that are read, or nil for all columns.
  /// - Throws: the errors of `compare`.
  /// - Complexity: O(classes + nodes of their columns), in addition to the calls of `compare`.
  package mutating func compareClasses(
    from roots: Set<Int>?, objects: (Int) -> String?,
    compare: (_ index: Int, _ comparison: inout SchemaComparison) throws -> Set<Int>?
  ) throws {
    var found: [Int: [SchemaDifference]] = [:]
    func compareOne(_ index: Int) throws -> Set<Int>? {
      var comparison = SchemaComparison(file)
      let columns = try compare(index, &comparison)
      found[index] = comparison.differences
      return columns
    }
    var reached = ReferencedClasses(file)
    reached.add(roots.map { file.targets(ofColumns: $0, ofClassAt: 0) } ?? [.anyObject])
    while let index = reached.popNext() {
      guard objects(index) != nil else { continue }
      reached.add(file.targets(ofColumns: try compareOne(index), ofClassAt: index))
    }
    let needed = Set(found.keys)
    for index in file.classes.indices.dropFirst() {
      guard let objects = objects(index) else { continue }
      if !needed.contains(index) { _ = try compareOne(index) }
      let differences = found[index] ?? []
      if !needed.contains(index), differences.contains(where: { $0.effect == .refused }) {
        addUnneededClass(at: index, found: objects)
      } else {
        for difference in differences { add(difference) }
      }
    }
  }
}
