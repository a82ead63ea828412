import Arc
import ArcArchive

/// The action of the older release on a file of the newer release, between opening and saving it.
enum History: String, CaseIterable {
  case untouched = "older saves untouched"
  case savedTwice = "older saves twice"
  case reopened = "older saves, opens and saves again"
  case appended = "older appends"
  case removed = "older removes"
  case moved = "older moves"
  case replaced = "older replaces a value"
  case newerFirst = "newer saves older's file"
}

/// One history of a file of two releases, both of which preserve unknown content.
struct HistoryRun<Old: Holding, New: Holding> {
  let oldValues: [Old.S.Value]
  let newValues: [New.S.Value]
  /// The value that the older release adds, and the value that the newer release reads for it.
  let addition: (old: Old.S.Value, new: New.S.Value)
  /// The value that the newer release reads if the older release replaced the first value by the added value.
  let replacement: New.S.Value
  let registerOld: (ClassTable) throws -> Void
  let registerNew: (ClassTable) throws -> Void

  /// Returns the outcome of a history, and the expected outcome. Nil if the older release cannot read the
  /// file, or cannot perform the action of the history.
  func outcome(_ history: History) -> (found: Outcome, expected: Outcome)? {
    if history == .newerFirst { return comingBack() }
    guard let newRoot = New.root(newValues), let bytes = try? archive(newRoot, nil) else { return nil }
    let unknown = PreservedContent()
    let plain = Outcome { try old(.leaveOut).unarchive(Old.Root.self, from: bytes) }
    let kept = Outcome { try old(.preserve(in: PreservedContent())).unarchive(Old.Root.self, from: bytes) }
    guard case .graph = plain, plain == kept else { return (kept, plain) }
    do {
      var root = try old(.preserve(in: unknown)).unarchive(Old.Root.self, from: bytes)
      guard let values = edit(history, &root), let expected = New.root(values) else { return nil }
      var saved = try archive(root, unknown)
      if history == .savedTwice { saved = try archive(root, unknown) }
      if history == .reopened {
        let again = PreservedContent()
        saved = try archive(old(.preserve(in: again)).unarchive(Old.Root.self, from: saved), again)
      }
      try ArchiveFile(bytes: saved).verify()
      let found = Outcome { try new(.refuse).unarchive(New.Root.self, from: saved) }
      guard found == .graph(GraphText.of(expected)) else {
        return (found, .graph(GraphText.of(expected)))
      }
      return seenAgain(expected, in: saved)
    } catch {
      return (.failed("\(error)"), .graph("no error"))
    }
  }

  /// Returns what the older release reads after the newer release has read `saved` and written it again. The
  /// expected outcome is what it reads from an archive of the expected graph.
  private func seenAgain(_ expected: New.Root, in saved: [UInt8]) -> (Outcome, Outcome) {
    let found = Outcome {
      let root = try new(.refuse).unarchive(New.Root.self, from: saved)
      return try old(.leaveOut).unarchive(Old.Root.self, from: archive(root, nil, isCanonical: true))
    }
    let plain = Outcome {
      try old(.leaveOut).unarchive(Old.Root.self, from: archive(expected, nil, isCanonical: true))
    }
    return (found, plain)
  }

  /// Checks that the older release finds its values in a file that the newer release opened and saved, or
  /// cannot read the file.
  private func comingBack() -> (found: Outcome, expected: Outcome)? {
    guard let oldRoot = Old.root(oldValues), let bytes = try? archive(oldRoot, nil) else { return nil }
    let unknown = PreservedContent()
    guard let root = try? new(.preserve(in: unknown)).unarchive(New.Root.self, from: bytes) else {
      return nil
    }
    let expected = Outcome.graph(GraphText.of(oldRoot))
    do {
      let saved = try archive(root, unknown)
      try ArchiveFile(bytes: saved).verify()
      let found = Outcome { try old(.refuse).unarchive(Old.Root.self, from: saved) }
      if case .refused = found { return (found, found) }
      return (found, expected)
    } catch {
      return (.failed("\(error)"), expected)
    }
  }

  /// Archives a root. In canonical form, the order of a dictionary is determined. If keys are equal for the
  /// older release, it uses the first of them.
  private func archive(
    _ root: some ArchivableValue, _ unknown: PreservedContent?, isCanonical: Bool = false
  ) throws -> [UInt8] {
    var archiver = Archiver(isCanonical: isCanonical)
    archiver.preservedContent = unknown
    return try archiver.archive(root)
  }

  private func old(_ policy: UnknownContentPolicy) throws -> Unarchiver {
    // The table is closed, because the older release would otherwise find the classes of the newer release in
    // this program.
    let classes = ClassTable(scope: .declared)
    for type in Old.types { try classes.register(all: type) }
    try registerOld(classes)
    return Unarchiver(classes: classes, unknownContent: policy, newerVersions: .allow)
  }

  private func new(_ policy: UnknownContentPolicy) throws -> Unarchiver {
    let classes = ClassTable(scope: .declared)
    for type in New.types { try classes.register(all: type) }
    try registerNew(classes)
    return Unarchiver(classes: classes, unknownContent: policy)
  }

  // MARK: Changes by the older release

  /// Changes a root. Returns the values that the newer release has afterwards. Nil if the root does
  /// not permit the change.
  private func edit(_ history: History, _ root: inout Old.Root) -> [New.S.Value]? {
    if [.untouched, .savedTwice, .reopened].contains(history) { return newValues }
    guard let list = Old.self as? any ListHolding.Type else { return nil }
    return edit(history, list, &root)
  }

  private func edit<List: ListHolding>(
    _ history: History, _ list: List.Type, _ root: inout Old.Root
  ) -> [New.S.Value]? {
    guard var elements = root as? [List.Element], let value = addition.old as? List.S.Value else {
      return nil
    }
    var values = newValues
    switch history {
    case .appended:
      elements.append(List.element(value))
      values.append(addition.new)
    case .removed:
      elements.removeFirst()
      values.removeFirst()
    case .moved:
      elements.append(elements.removeFirst())
      values.append(values.removeFirst())
    case .replaced:
      guard List.set(value, in: elements[0]) else { return nil }
      values[0] = replacement
    default: return nil
    }
    guard let changed = elements as? Old.Root else { return nil }
    root = changed
    return values
  }
}

extension Matrix {
  /// Runs all histories for the values of a change in one holding.
  func runHistories<Old: Holding, New: Holding>(
    _ change: Change<Old.S.Value, New.S.Value>, _ old: Old.Type, _ new: New.Type
  ) {
    let samples = change.samples.filter { !Old.isOptional || !isNil($0.old) }
    let fitting = samples.compactMap { sample in sample.expected.value.map { (sample.old, $0) } }
    guard let first = fitting.first, let addition = try? ObjectGraph.copy(first.1) else { return }
    let pairs = Old.holdsOne ? [first] : fitting + [first]
    let newValues = Old.holdsOne ? [change.newer.first ?? first.1] : pairs.map(\.1) + change.newer
    let run = HistoryRun<Old, New>(
      oldValues: pairs.map(\.0), newValues: newValues, addition: (first.0, addition),
      replacement: change.replacement ?? addition,
      registerOld: { classes in
        try change.registerOld(classes)
        if Old.hidesClasses { for type in change.oldClasses { try classes.register(all: type) } }
      },
      registerNew: { classes in
        try change.register(classes)
        if New.hidesClasses { for type in change.classes { try classes.register(all: type) } }
      })
    for history in History.allCases where history != .newerFirst || change.comesBack {
      guard let (found, expected) = run.outcome(history) else { continue }
      note(change.name, New.name, history.rawValue, "all", found: found, expected: expected)
    }
  }
}
