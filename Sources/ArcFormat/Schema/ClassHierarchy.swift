/// The subclass relation of a class table. Each query takes O(1), regardless of the depth of the hierarchy.
package struct ClassHierarchy {
  /// For each class, the range of the preorder numbers of the class and its subclasses.
  private var families: [Family] = []

  /// The range of the preorder numbers of a class and its subclasses. Arc does not use `Range`, because the
  /// first `[Range<Int>]` of a program requires a slow lookup of a conformance.
  private struct Family {
    let start: Int
    let end: Int
  }

  /// Numbers the classes in preorder. No recursion is needed, because superclasses precede their subclasses.
  ///
  /// - Complexity: O(*n*) in the number of classes.
  package init(_ classes: [ClassDescription]) {
    var sizes = [Int](repeating: 1, count: classes.count)
    for (index, description) in classes.enumerated().reversed() {
      if let superclass = description.superclassIndex { sizes[superclass] += sizes[index] }
    }
    var next = 0
    // For each class, the preorder number of its next subclass.
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

  /// Returns the range of the preorder numbers of a class and its subclasses. The number of the class itself
  /// is the first.
  func preorderRange(ofFamily index: Int) -> Range<Int> { families[index].start..<families[index].end }

  /// Returns the class indices in preorder.
  ///
  /// - Complexity: O(classes).
  func classesInPreorder() -> [Int] {
    var classes = [Int](repeating: 0, count: families.count)
    for index in families.indices { classes[families[index].start] = index }
    return classes
  }

  /// Returns whether a class is equal to `other` or is a subclass of it. Both are indices in the class table.
  package func isClass(_ index: Int, orSubclassOf other: Int) -> Bool {
    let number = families[index].start
    return families[other].start <= number && number < families[other].end
  }
}
