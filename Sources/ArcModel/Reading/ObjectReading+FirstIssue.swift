import ArcFormat
import ArcJSON

// The issue that a strict reader throws.

extension ObjectReading {
  /// Returns the error with the first issue in the order of the text, after a strict reading ended with an
  /// error.
  ///
  /// Objects are built before the objects that contain them, so the issue that ended the reading can be after
  /// others. A lenient reader reports all issues in the order of the text.
  func firstIssue(after error: ModelReadingError) -> ModelReadingError {
    guard !rules.isLenient, let end = issues.firstIndex else { return error }
    let log = IssueLog(document, endsAtFirst: false)
    rootFiller.map { check(0, root, by: $0, log) }
    for frame in frames where frame.firstMember >= 0 {
      check(frame.index, plans[frame.plan], members: frame.firstMember, before: end, isUpdated(frame), log)
    }
    for node in graph.nodes where node.firstMember >= 0 && node.state != .merged {
      let isUpdated = node.state == .updated
      check(node.index, plans[node.plan], members: node.firstMember, before: end, isUpdated, log)
    }
    guard let first = log.firstIndex, first < end, let issue = log.all.first else { return error }
    return ModelReadingError(issues: log.all.prefix { $0.byteOffset == issue.byteOffset })
  }

  /// Notes the issues of an object that are before an entry.
  private func check(
    _ index: Int, _ plan: ClassReading, members first: Int, before end: Int, _ isUpdated: Bool,
    _ log: IssueLog
  ) {
    guard index < end else { return }
    if !isUpdated { try? noteMissingKeys(of: index, plan, members: first, log) }
    for (number, slot) in plan.slots.enumerated() {
      let value = members[first + number]
      // The program's code is not called again.
      if value >= 0, value < end, !slot.isCustom { check(slot.node, value, by: plan.checkingFiller, log) }
    }
  }

  /// Notes the issues of a value.
  private func check(_ node: Int, _ value: Int, by filler: RowFiller, _ log: IssueLog) {
    filler.row.removeAll()
    // Issues are in the log.
    _ = try? RowFiller(trying: filler, log).fill(node, value)
    filler.row.removeAll()
  }
}
