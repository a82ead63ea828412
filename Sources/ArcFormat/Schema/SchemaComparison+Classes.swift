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
  /// - Complexity: O(classes²).
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
    let all = Set(file.classes.indices.dropFirst())
    var pending = roots.map { file.classes(ledToByColumns: $0, ofClassAt: 0) } ?? all
    while let index = pending.popFirst() {
      guard found[index] == nil, objects(index) != nil else { continue }
      pending.formUnion(file.classes(ledToByColumns: try compareOne(index), ofClassAt: index))
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
