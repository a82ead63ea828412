import ArcFormat

// Sets and dictionaries whose keys refer to objects: a key's hash may depend on what is linked later.

extension GraphDecoder {
  /// A check for a set or dictionary whose keys refer to objects, made when all of these are linked.
  struct KeyCheck {
    let column: ColumnReader
    /// The row of the object that has the collection.
    let row: Int
    let isConsistent: () -> Bool
  }

  /// Has a set or dictionary of objects checked when all of them are linked: whether its keys still hash as
  /// they did.
  func checkLater(_ column: ColumnReader, _ isConsistent: @escaping () -> Bool) {
    keyChecks.value.append(
      KeyCheck(column: column, row: references.value.currentRow, isConsistent: isConsistent))
  }

  /// The number of sets and dictionaries that are still to be checked.
  var keyCheckCount: Int { keyChecks.value.count }

  /// Throws `hashCycle` unless the keys of every set and dictionary of objects are distinct, and hash as they
  /// did. Omits the first `count` checks. Spec: 05-graph, rules G9 and G10.
  package func checkKeys(after count: Int = 0) throws {
    if keyChecks.value.isEmpty { return }
    let checks = keyChecks.value
    keyChecks.value.removeAll()
    if let check = checks.dropFirst(count).first(where: { !$0.isConsistent() }) {
      throw check.column.hashCycle(objectID: view?.id(ofRow: check.row))
    }
  }

  /// Sets the hashed properties of objects in rounds, until every key is found. Spec: 05-graph, rules G9 and
  /// G10.
  ///
  /// A key's hash may read another such set, so a round may be in vain. Objects deeper in the graph mostly
  /// have higher numbers, hence the order; where that fails, the other way round.
  ///
  /// - Parameters:
  ///   - count: the number of objects.
  ///   - set: sets the hashed properties of an object, by its number, in a round.
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
  /// The error for a set or dictionary whose keys are no longer distinct, or no longer found.
  func hashCycle(objectID: ObjectID?) -> ArchiveError {
    locatedInProperty(
      ArchiveError(
        .hashCycle,
        found: "keys that became equal, or whose hash or order depends on the collection that contains them",
        expected: "distinct keys whose hashes do not change while the graph is read",
        remedy:
          "hash the keys by properties that do not refer back to the collection, and declare the collection "
          + "'var'; if the program compares fewer properties than the program that wrote the file, read the "
          + "file with unknownContent: .preserve(in:) or .leaveOut, which treat equal keys as one",
        objectID: objectID))
  }
}
