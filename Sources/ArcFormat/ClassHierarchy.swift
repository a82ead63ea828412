/// Which class of a class table is a subclass of which; each question takes O(1), however deep the hierarchy is.
struct ClassHierarchy {
  /// For each class the places that it and its subclasses take in an order that keeps subclasses together.
  private var families: [Family] = []

  /// Not a `Range`: the runtime would look for its element's conformance when the first array of them is made.
  private struct Family {
    let start: Int
    let end: Int
  }

  /// O(classes), without recursion: superclasses stand earlier in the table.
  init(_ classes: [ClassDescription]) {
    var sizes = [Int](repeating: 1, count: classes.count)
    for (index, description) in classes.enumerated().reversed() {
      if let superclass = description.superclass { sizes[superclass] += sizes[index] }
    }
    var next = 0
    // For each class the place of its next subclass.
    var free: [Int] = []
    for (index, description) in classes.enumerated() {
      let start: Int
      if let superclass = description.superclass {
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

  /// Whether a class is `other` or one of its subclasses; both are indices in the table.
  func isClass(_ index: Int, orSubclassOf other: Int) -> Bool {
    let place = families[index].start
    return families[other].start <= place && place < families[other].end
  }
}
