/// The subclass relation of a class table; each query takes O(1), however deep the hierarchy is.
package struct ClassHierarchy {
  /// For each class, the range of its own and its subclasses' numbers in a pre-order of the hierarchy.
  private var families: [Family] = []

  /// Not a `Range`: making the first array of them makes the runtime look up the conformance of its element.
  private struct Family {
    let start: Int
    let end: Int
  }

  /// Numbers the classes, without recursion: superclasses are earlier in the table.
  ///
  /// - Complexity: O(*n*) in the number of classes.
  package init(_ classes: [ClassDescription]) {
    var sizes = [Int](repeating: 1, count: classes.count)
    for (index, description) in classes.enumerated().reversed() {
      if let superclass = description.superclassIndex { sizes[superclass] += sizes[index] }
    }
    var next = 0
    // For each class the number of its next subclass.
    var free: [Int] = []
    for (index, description) in classes.enumerated() {
      let start: Int
      if let superclass = description.superclassIndex {
        start = free[superclass]
        free[superclass] += sizes[index]
      } else {
        start = next
        next += sizes[index]
      }
      free.append(start + 1)
      families.append(Family(start: start, end: start + sizes[index]))
    }
  }

  /// The places of a class and its subclasses in a pre-order of the hierarchy.
  func places(ofFamily index: Int) -> Range<Int> { families[index].start..<families[index].end }

  /// The class at each place of that pre-order.
  ///
  /// - Complexity: O(classes).
  func classesByPlace() -> [Int] {
    var classes = [Int](repeating: 0, count: families.count)
    for index in families.indices { classes[families[index].start] = index }
    return classes
  }

  /// Whether a class is `other` or one of its subclasses; both are indices in the class table.
  package func isClass(_ index: Int, orSubclassOf other: Int) -> Bool {
    let place = families[index].start
    return families[other].start <= place && place < families[other].end
  }
}
