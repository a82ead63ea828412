import Arc

/// Objects that were read and whose `didRead(in:)` is not called yet. An object is after the objects that it
/// contains.
struct UnfinishedObjects {
  private var all: [AnyObject] = []
  /// The classes of the objects, as runs: a class, and the count of consecutive objects of this class.
  private var classes: [(plan: ClassPlan, count: Int)] = []

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.count }

  mutating func add(_ object: AnyObject, _ plan: ClassPlan) {
    all.append(object)
    if classes.last?.plan === plan {
      classes[classes.count - 1].count += 1
    } else {
      classes.append((plan, 1))
    }
  }

  /// Adds the objects of a document that was read separately, such as a preprocessed object.
  mutating func add(_ others: UnfinishedObjects) {
    all += others.all
    classes += others.classes
  }

  mutating func removeAll() {
    all.removeAll()
    classes.removeAll()
  }

  /// Removes all objects except the first `count`.
  mutating func removeAll(after count: Int) {
    var surplus = all.count - count
    guard surplus > 0 else { return }
    all.removeLast(surplus)
    while surplus > 0, let last = classes.last {
      if last.count > surplus { classes[classes.count - 1].count -= surplus } else { classes.removeLast() }
      surplus -= last.count
    }
  }

  /// Calls `didRead(in:)` of all objects.
  ///
  /// - Throws: the error of the first object that rejects itself.
  func finish(_ context: ArchiveContext) throws {
    func finish<Object: ModelFinishing>(_ type: Object.Type, _ objects: ArraySlice<AnyObject>) throws {
      // The objects are of exactly this class, so the cast is safe.
      for object in objects { try unsafe unsafeDowncast(object, to: Object.self).didRead(in: context) }
    }
    var first = 0
    for (plan, count) in classes {
      if let type = plan.finishing { try finish(type, all[first..<first + count]) }
      first += count
    }
  }
}
