import ArcFormat

// Fills and checks sets and dictionaries whose keys refer to objects. The hash value of such a key may depend
// on properties that are set later.

extension GraphDecoder {
  /// A check of a set or dictionary whose keys refer to objects. It runs when all objects are linked.
  struct KeyCheck {
    let column: ColumnReader
    /// The row of the object that contains the set or dictionary.
    let row: Int
    let isConsistent: () -> Bool
  }

  /// Schedules a check of a set or dictionary of objects. The check runs when all objects are linked.
  /// `isConsistent` returns whether the hash values of the collection's keys are unchanged.
  func checkLater(_ column: ColumnReader, _ isConsistent: @escaping () -> Bool) {
    keyChecks.value.append(
      KeyCheck(column: column, row: references.value.currentRow, isConsistent: isConsistent))
  }

  /// The number of scheduled checks of sets and dictionaries.
  var keyCheckCount: Int { keyChecks.value.count }

  /// Runs and removes the scheduled checks. The first `count` checks are removed without being run. Throws
  /// `hashCycle` if keys of a set or dictionary became equal, or if the hash value of a key changed. Spec:
  /// 05-graph, rules G9 and G10.
  package func checkKeys(after count: Int = 0) throws {
    if keyChecks.value.isEmpty { return }
    let checks = keyChecks.value
    keyChecks.value.removeAll()
    if let check = checks.dropFirst(count).first(where: { !$0.isConsistent() }) {
      throw check.column.hashCycle(objectID: view?.id(ofRow: check.row))
    }
  }

  /// Sets the properties that hash other objects, in rounds, until each set and dictionary finds all its
  /// keys. There are at most 64 rounds. Spec: 05-graph, rules G9 and G10.
  ///
  /// One round may not be sufficient, because the hash value of a key may depend on a set that is filled
  /// later in the round. The first round begins with the object with the highest number, because objects
  /// deeper in the graph mostly have higher numbers. Each further round reverses the order.
  ///
  /// - Parameters:
  ///   - count: the number of objects.
  ///   - set: sets these properties of an object. Called with the number of the object and of the round.
  /// - Returns: whether every key is found. If not, the checks of the last round remain.
  package func setHashedProperties(
    ofObjects count: Int, _ set: (_ number: Int, _ round: Int) throws -> Void
  ) rethrows -> Bool {
    let earlierCount = keyCheckCount
    for round in 0..<min(count + 1, 64) {
      keyChecks.value.removeLast(max(keyCheckCount - earlierCount, 0))
      for number in 0..<count { try set(round % 2 == 0 ? count - 1 - number : number, round) }
      let checks = keyChecks.value
      if checks.dropFirst(earlierCount).allSatisfy({ $0.isConsistent() }) {
        keyChecks.value.removeLast(checks.count - earlierCount)
        return true
      }
    }
    return false
  }
}

extension ColumnReader {
  /// Returns the error for a set or dictionary whose keys are no longer distinct or no longer found.
  func hashCycle(objectID: ObjectID?) -> ArchiveError {
    locatedInProperty(
      ArchiveError(
        .hashCycle,
        found: "keys that are equal after reading, or whose hash or order depends on their own collection",
        expected: "distinct keys whose hashes do not change while the graph is read",
        remedy:
          "hash the keys only by properties that do not refer back to the collection, and declare the "
          + "collection 'var'; if == compares fewer properties than in the program that wrote the file, read "
          + "the file with unknownContent: .preserve(in:) or .leaveOut, which merge equal keys",
        objectID: objectID))
  }
}
