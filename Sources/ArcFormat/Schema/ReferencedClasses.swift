/// The set of the classes to which references can refer. Each class is added once, however many references
/// declare it. Otherwise, a crafted class table would take too much time, because each of its classes can
/// have as many references as the table has classes.
struct ReferencedClasses {
  private let hierarchy: ClassHierarchy
  /// The class indices in preorder of the hierarchy.
  private let classes: [Int]
  /// Shortcuts for finding the next class that is not in the set, by preorder number. If the class with a
  /// number is not in the set, its element is the number itself. Otherwise, the element is a greater number,
  /// and all classes between the two numbers are in the set. The last element represents the end. Each search
  /// shortens the paths that it follows.
  private var next: [Int]
  private var pending: [Int] = []

  /// Creates an empty set. The class of the roots, if the table has one, is excluded because no reference
  /// refers to it.
  init(_ schema: StoredSchema) {
    hierarchy = ClassHierarchy(schema.classes)
    classes = hierarchy.classesInPreorder()
    next = Array(0...schema.classes.count)
    if !schema.classes.isEmpty { next[hierarchy.preorderRange(ofFamily: 0).lowerBound] += 1 }
  }

  /// Adds the classes to which `targets` refer.
  ///
  /// - Complexity: nearly O(targets + classes found).
  mutating func add(_ targets: [StoredSchema.Target]) {
    for target in targets {
      let numbers =
        switch target {
        case .anyObject: 0..<next.count - 1
        case .family(let index): hierarchy.preorderRange(ofFamily: index)
        }
      var number = firstMissing(from: numbers.lowerBound)
      while number < numbers.upperBound {
        pending.append(classes[number])
        next[number] = number + 1
        number = firstMissing(from: number + 1)
      }
    }
  }

  /// Removes and returns a class that was added but not returned yet. Nil if there is none.
  mutating func popNext() -> Int? { pending.popLast() }

  /// Returns the lowest preorder number, not below `start`, of a class that is not in the set. Returns the
  /// number of classes if there is no such class.
  private mutating func firstMissing(from start: Int) -> Int {
    var end = start
    while next[end] != end { end = next[end] }
    var number = start
    while next[number] != number {
      let following = next[number]
      next[number] = end
      number = following
    }
    return end
  }
}
