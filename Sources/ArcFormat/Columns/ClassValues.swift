/// A value for each class that occurs in the runs of a segment.
///
/// Runs of mixed classes are short, so finding the value of a class must be fast: columns of mixed archives
/// took up to twice the time with a dictionary, or without inlining. The memory is proportional to the number
/// of runs, not to the number of classes: a file may have many classes and many small segments. Spec:
/// 07-limits.
@usableFromInline @frozen package struct ClassValues<Value> {
  @usableFromInline let initial: Value
  /// If there are at least as many runs as classes: the value of each class, by class index.
  @usableFromInline var all: [Value] = []
  /// If there are fewer runs than classes: the values of the classes that occur in the runs, by class.
  @usableFromInline var some: [Int: Value] = [:]
  @usableFromInline let hasAll: Bool

  /// Creates the value `initial` for each class.
  @inlinable package init(_ initial: Value, classCount: Int, runCount: Int) {
    self.initial = initial
    hasAll = runCount >= classCount
    if hasAll { all = Array(repeating: initial, count: classCount) }
  }

  /// The value of a class, whose index must be below the number of classes.
  @inlinable package subscript(classIndex: Int) -> Value {
    @inline(__always) get { hasAll ? all[classIndex] : some[classIndex] ?? initial }
    @inline(__always) _modify {
      if hasAll {
        yield &all[classIndex]
      } else {
        let initial = initial
        yield &some[classIndex, default: initial]
      }
    }
  }
}
