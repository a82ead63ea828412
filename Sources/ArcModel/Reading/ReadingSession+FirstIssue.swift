import ArcFormat
import ArcJSON

// Finding the issue that a strict reader throws.

extension ReadingSession {
  /// Returns the error with the first issue in the order of the text. Called after a strict reading threw an
  /// error.
  ///
  /// An object is built before the object that contains it, so the reading can end with an issue although
  /// earlier parts of the text have issues too. To find these earlier issues, custom formats may be called
  /// again. An error that a hook threw is returned unchanged, unless there is an issue before the object of
  /// the hook.
  func firstIssue(after error: any Error) -> any Error {
    guard !rules.isLenient, let end = issues.firstIndex else { return error }
    let log = IssueLog(document, endsAtFirst: false)
    if let rootFiller { check(0, root, by: JSONRowFiller(trying: rootFiller, log), nil) }
    for frame in frames where frame.firstMember >= 0 {
      check(frame.index, plans[frame.plan], members: frame.firstMember, before: end, log)
    }
    for node in graph.nodes where node.firstMember >= 0 && node.state != .merged {
      check(node.index, plans[node.plan], members: node.firstMember, before: end, log)
    }
    // `log` has the issues, so the error adds nothing.
    if rules.reportsUnknownKeys { try? noteUnknownMembers(in: log, before: end) }
    if let first = log.firstIndex, first < end { return log.firstError }
    // The log also contains a delayed error.
    return error is ModelReadingError ? issues.firstError : error
  }

  /// Adds the issues of a JSON object to `log`, but only issues before the document index `end`.
  private func check(
    _ index: Int, _ plan: ClassReadingState, members first: Int, before end: Int, _ log: IssueLog
  ) {
    guard index < end, members.count >= first + plan.slots.count else { return }
    let filler = plan.checkingFiller
    let object = updated[index]
    if let object {
      plan.keepFields(of: object, by: filler, rules)
    } else {
      // `log` has the issues, so the error adds nothing.
      try? noteMissingKeys(of: index, plan, members: first, log)
    }
    let trial = JSONRowFiller(trying: filler, log)
    filler.existingFields = nil
    for (number, slot) in plan.slots.enumerated() {
      let value = members[first + number]
      if value >= 0, value < end { check(slot.node, value, by: trial, plan.customReads[number]) }
    }
  }

  /// Adds the issues of a value to the log of `trial`.
  private func check(
    _ node: Int, _ value: Int, by trial: JSONRowFiller, _ customRead: ((JSONValue) throws -> JSONValue)?
  ) {
    trial.row.removeAll()
    // The log has the issues, so the error adds nothing.
    if let customRead {
      _ = try? trial.fillCustom(node, value, customRead)
    } else {
      _ = try? trial.fill(node, value)
    }
    trial.row.removeAll()
  }
}
