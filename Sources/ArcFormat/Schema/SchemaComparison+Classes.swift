extension SchemaComparison {
  /// Compares each class of the file that has objects. One that nothing leads to which is read hurts nobody,
  /// whatever it has. Spec: 06-evolution, section 6.
  ///
  /// - Parameters:
  ///   - roots: the indices of the root columns that are read; nil where any class may be led to.
  ///   - objects: words for the objects of a class of the file; nil if it has none.
  ///   - compare: compares a class with what reads it; returns the indices of the columns that are read, nil
  ///     for all.
  /// - Throws: what `compare` throws.
  /// - Complexity: O(classes + nodes of their columns), besides what comparing takes.
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
    var reached = ClassesLedTo(file)
    reached.add(roots.map { file.targets(ofColumns: $0, ofClassAt: 0) } ?? [.anyObject])
    while let index = reached.popFound() {
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
