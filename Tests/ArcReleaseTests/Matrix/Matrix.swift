import Arc
import ArcFormat
import ArcTestSupport
import Foundation

/// Runs the cells of the matrix, and collects the cells whose outcome is not the outcome in the table.
final class Matrix {
  private(set) var cellCount = 0
  private var failures: [Failure] = []
  /// The task that is run for each change.
  enum Task {
    /// Files of the older release are read by all APIs.
    case read(inFolder: URL)
    /// Both releases open and save the file in turn.
    case runHistories
    /// The names of the changes and the codes of the errors are listed.
    case list
  }

  private let task: Task
  /// The sample of the pairs of a change and a holding: one in 8, or all in an exhaustive run.
  var pairs = TrialSample(oneIn: 8)
  /// The sample of the orders in which releases take turns, for each pair: one in 6, or all in an exhaustive
  /// run.
  var turnOrders = TrialSample(oneIn: 6)
  /// The names of the changes.
  private(set) var changes: [String] = []
  /// The codes of the errors that are expected.
  private(set) var codes: Set<ArchiveError.Code> = []

  init(_ task: Task) { self.task = task }

  /// Runs the task for a change.
  func add<Old: ArchivableValue, New: ArchivableValue>(_ change: Change<Old, New>) {
    changes.append(change.name)
    for case .refused(let code) in change.samples.map(\.expected) { codes.insert(code) }
    addHoldings(change)
  }

  /// Whether the task is that two releases save in turn.
  var runsHistories: Bool { if case .runHistories = task { true } else { false } }

  /// Runs the task for a change, also with the values as keys.
  func addWithKeys<Old: ArchivableValue & Hashable, New: ArchivableValue & Hashable>(
    _ change: Change<Old, New>
  ) {
    add(change)
    addKeyHoldings(change)
  }

  /// Runs the task for a change of a class, also with weak and unowned references.
  func addObjects<Old: Archivable, New: Archivable>(_ change: Change<Old, New>) {
    var change = change
    change.classes += [New.self, Cat.self, Tag.self]
    change.oldClasses += [Old.self, Cat.self, Tag.self]
    add(change)
    addTargetHoldings(change)
  }

  /// A cell with a wrong outcome.
  private struct Failure {
    let change: String
    let holding: String
    let reading: String
    let values: String
    let found: Outcome
    let expected: Outcome
  }

  func note(
    _ change: String, _ holding: String, _ reading: String, _ values: String, found: Outcome,
    expected: Outcome
  ) {
    cellCount += 1
    guard found != expected else { return }
    failures.append(
      Failure(
        change: change, holding: holding, reading: reading, values: values, found: found,
        expected: expected))
  }

  // MARK: Holdings

  /// Runs the task for a change in all containers that can contain any value.
  private func addHoldings<Old: ArchivableValue, New: ArchivableValue>(_ change: Change<Old, New>) {
    typealias B = Before<Old, New>
    typealias A = After<Old, New>
    add(change, in: AsRoot<B>.self, AsRoot<A>.self)
    add(change, in: InVariable<B>.self, InVariable<A>.self)
    add(change, in: InConstant<B>.self, InConstant<A>.self)
    add(change, in: InOptional<B>.self, InOptional<A>.self)
    add(change, in: InOptionalTwice<B>.self, InOptionalTwice<A>.self)
    add(change, in: InField<B>.self, InField<A>.self)
    add(change, in: InPayload<B>.self, InPayload<A>.self)
    add(change, in: InElements<B>.self, InElements<A>.self)
    add(change, in: InLists<B>.self, InLists<A>.self)
    add(change, in: InSubclass<B>.self, InSubclass<A>.self)
    add(change, in: InTree<B>.self, InTree<A>.self)
    add(change, in: InBranch<B>.self, InBranch<A>.self)
    add(change, in: InExistential<B>.self, InExistential<A>.self)
    add(change, in: InAny<B>.self, InAny<A>.self)
    add(change, in: InPair<B>.self, InPair<A>.self)
    add(change, in: InHandWritten<B>.self, InHandWritten<A>.self)
    add(change, in: InVersioned<B>.self, InVersioned<A>.self)
    add(change, in: InLazy<B>.self, InLazy<A>.self)
  }

  /// Runs the task for a change in the containers that contain the values as keys.
  private func addKeyHoldings<Old: ArchivableValue & Hashable, New: ArchivableValue & Hashable>(
    _ change: Change<Old, New>
  ) {
    typealias B = Before<Old, New>
    typealias A = After<Old, New>
    add(change, in: InKeys<B>.self, InKeys<A>.self)
    add(change, in: InSet<B>.self, InSet<A>.self)
  }

  /// Runs the task for a change in the containers with weak and unowned references to the objects.
  private func addTargetHoldings<Old: Archivable, New: Archivable>(_ change: Change<Old, New>) {
    typealias B = Before<Old, New>
    typealias A = After<Old, New>
    add(change, in: InTargets<B>.self, InTargets<A>.self)
    add(change, in: InDependents<B>.self, InDependents<A>.self)
  }

  private func add<Old: Holding, New: Holding>(
    _ change: Change<Old.S.Value, New.S.Value>, in old: Old.Type, _ new: New.Type
  ) {
    guard pairs.includesNext() else { return }
    switch task {
    case .read: read(change, old, new)
    case .runHistories: runHistories(change, old, new)
    case .list: break
    }
  }

  // MARK: Forward

  private func read<Old: Holding, New: Holding>(
    _ change: Change<Old.S.Value, New.S.Value>, _ old: Old.Type, _ new: New.Type
  ) {
    let samples = change.samples.filter { !Old.isOptional || $0.expected.value != nil || !isNil($0.old) }
    var sets: [(String, [Sample<Old.S.Value, New.S.Value>])] = []
    if Old.holdsOne {
      sets = samples.map { ("\($0.old)", [$0]) }
    } else {
      // An object that occurs twice must be read as one object.
      let fitting = samples.filter { $0.expected.value != nil }
      let first = fitting.prefix(1)
      if !fitting.isEmpty { sets.append(("all", fitting + first)) }
      for sample in samples where sample.expected.value == nil {
        sets.append(("with \(sample.old)", first + [sample] + first))
      }
    }
    for (text, samples) in sets { read(change, samples, text, old, new) }
  }

  private func read<Old: Holding, New: Holding>(
    _ change: Change<Old.S.Value, New.S.Value>, _ samples: [Sample<Old.S.Value, New.S.Value>],
    _ text: String, _ old: Old.Type, _ new: New.Type
  ) {
    guard case .read(let folder) = task, let root = Old.root(samples.map(\.old)),
      let bytes = archive(root, change.name, New.name)
    else { return }
    let file = ReadFile<Old, New>(
      root: root, bytes: bytes, count: samples.count,
      register: { classes in
        try change.register(classes)
        if New.hidesClasses { for type in change.classes { try classes.register(all: type) } }
      }, isLossy: change.isLossy, isVisible: change.isVisible,
      newerVersions: change.newerVersions, folder: folder)
    for reading in Reading.allCases where !reading.isSlow || samples.count > 1 || Old.holdsOne {
      let expected = expected(samples, reading, new)
      if New.isLazy, reading.usesSession, case .refused = expected { continue }
      guard let found = file.outcome(reading) else { continue }
      // The classes of all objects are resolved before an object is migrated and before its values are
      // matched, so another error can come first.
      if New.migrates, found == .refused(.unknownClass), expected == .refused(.typeMismatch) { continue }
      note(change.name, New.name, reading.rawValue, text, found: found, expected: expected)
    }
  }

  private func archive(_ root: some ArchivableValue, _ change: String, _ holding: String) -> [UInt8]? {
    let archiver = Archiver()
    do {
      return try archiver.archive(root)
    } catch {
      note(change, holding, "Archiver", "all", found: .failed("\(error)"), expected: .graph("an archive"))
      return nil
    }
  }

  func isNil(_ value: Any) -> Bool {
    Mirror(reflecting: value).displayStyle == .optional && Mirror(reflecting: value).children.isEmpty
  }

  private func expected<Old, New: Holding>(
    _ samples: [Sample<Old, New.S.Value>], _ reading: Reading, _ holding: New.Type
  ) -> Outcome {
    let lines = samples.map { reading.leavesOut ? $0.withoutUnknown : $0.expected }
    for case .refused(let code) in lines { return .refused(code) }
    if reading == .path { return .graph(GraphText.of(lines.compactMap(\.value))) }
    guard let root = New.root(lines.map(\.value)) else { return .refused(.unknownCase) }
    return .graph(GraphText.of(root))
  }

  // MARK: Report

  /// The failing cells, grouped by change, then by holding and reading; nil if there are none.
  var report: String? {
    guard !failures.isEmpty else { return nil }
    var text = "\(failures.count) of \(cellCount) cells\n"
    for (change, failures) in Self.groups(failures, by: \.change) {
      text += "\(change): \(failures.count)\n"
      var lines: [String: [String]] = [:]
      for (holding, failures) in Self.groups(failures, by: \.holding) {
        let readings = Self.groups(failures, by: \.reading).map { reading, failures in
          "\(reading) (\(Set(failures.map(\.values)).sorted().joined(separator: "; ")))"
        }
        lines[readings.joined(separator: ", "), default: []].append(holding)
      }
      for (readings, holdings) in lines.sorted(by: { $0.value[0] < $1.value[0] }) {
        text += "  in \(holdings.joined(separator: ", ")): \(readings)\n"
      }
      if let first = failures.first {
        text += "    first: \(first.holding), \(first.reading), \(first.values):\n"
        text += "      \(first.found.difference(from: first.expected))\n"
      }
    }
    return text
  }

  private static func groups(
    _ failures: [Failure], by name: (Failure) -> String
  ) -> [(String, [Failure])] {
    var order: [String] = []
    var groups: [String: [Failure]] = [:]
    for failure in failures {
      if groups[name(failure)] == nil { order.append(name(failure)) }
      groups[name(failure), default: []].append(failure)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }
}
