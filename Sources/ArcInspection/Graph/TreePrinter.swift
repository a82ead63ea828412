import ArcArchive
import ArcFormat

/// Prints the graph as a tree, each object once, below the object that names it first.
///
/// An object that is opened claims what its strong references lead to, so that nothing sinks deeper than it
/// must. A mention elsewhere says `(below)` before the object is printed, `(above)` after it, and `(cycle)`
/// inside of it. Weak references claim nothing. The walk keeps a stack of its own: a chain of a million
/// objects is as good as any graph.
struct TreePrinter: ~Copyable {
  /// How much is printed.
  struct Bounds {
    /// Levels of objects.
    var depth: Int
    /// Objects, and elements of one collection.
    var count: Int
  }

  /// How far an object has come. A number, for there is one for each row.
  private struct Progress: Equatable {
    private let number: UInt32

    static let unseen = Progress(number: 0)
    static let open = Progress(number: 1)
    static let printed = Progress(number: 2)

    /// Named first by an object, below which it will be printed. So many rows that this is one of the others
    /// are more than any limit.
    static func claimed(by owner: ObjectID) -> Progress { Progress(number: owner.rawValue &+ 3) }

    var isUnprinted: Bool { self != .open && self != .printed }
  }

  /// What is open: an object, or a value on its own. Its lines are the last ones in `lines` but for those of
  /// what is open inside of it.
  private struct Frame {
    /// The object; nil for a value on its own.
    let id: ObjectID?
    /// Objects that are open here.
    let depth: Int
    /// Where its lines begin in the text, the mentions and the collections.
    let start: Int
    let startOfMentions: Int
    let startOfCollections: Int
    /// Where the text begins that is not printed, and the mentions that were not met.
    var position: Int
    var nextMention: Int
    /// Where its lines end.
    var end = 0
    var endOfMentions = 0

    /// The owner of what it mentions: a value on its own belongs to the roots.
    var owner: ObjectID { id ?? ObjectID(rawValue: 0) }
  }

  private let catalog: ObjectCatalog
  private let page: Page
  private let bounds: Bounds
  private var lines: TreeLines
  /// Lines that were printed and not passed on.
  private var printed: StyledText
  /// By row.
  private var progress: [Progress]
  private var stack: [Frame] = []
  private var printedCount = 0
  private var isCutByDepth = false
  private var isCutByCount = false
  /// Whether the bounds left nothing out of what was printed.
  var isWithinBounds: Bool { !isCutByDepth && !isCutByCount && !lines.isCut }

  /// Long texts and data are cut, unless `isWhole`.
  init(_ catalog: ObjectCatalog, to page: Page, bounds: Bounds, isWhole: Bool = false) {
    self.catalog = catalog
    self.page = page
    self.bounds = bounds
    lines = TreeLines(
      style: page.style, isWhole: isWhole, elementLimit: bounds.count,
      byteLimit: catalog.file.limits.rawBytes)
    printed = StyledText(page.style)
    progress = Array(repeating: .unseen, count: catalog.file.rowCount)
  }

  /// Prints everything within the bounds, then how many objects were left out.
  mutating func print() throws {
    let roots = try catalog.roots()
    try open(roots.id, level: 0, depth: 0)
    try printOpen()
    try printRest()
  }

  /// Prints a value under a name, and the objects that it leads to within the bounds. An object that was
  /// printed before is only mentioned.
  mutating func print(_ value: TypedValue, named name: String) throws {
    var frame = newFrame(id: nil, depth: 0)
    try lines.append(value, .name(printableName(name)), level: 0)
    _ = lines.takeHiddenTargets()
    push(&frame)
    try printOpen()
  }

  private var isFull: Bool { printedCount >= bounds.count }

  // MARK: Frames

  private func newFrame(id: ObjectID?, depth: Int) -> Frame {
    let (start, startOfMentions) = (lines.text.count, lines.mentions.count)
    return Frame(
      id: id, depth: depth, start: start, startOfMentions: startOfMentions,
      startOfCollections: lines.collections.count, position: start, nextMention: startOfMentions)
  }

  /// Pushes a frame whose lines were made.
  private mutating func push(_ frame: inout Frame) {
    frame.end = lines.text.count
    frame.endOfMentions = lines.mentions.count
    stack.append(frame)
  }

  private mutating func open(_ id: ObjectID, level: Int, depth: Int) throws {
    dropWhatWasPrinted()
    progress[Int(id.rawValue)] = .open
    var frame = newFrame(id: id, depth: depth)
    try catalog.file.withColumns(of: id) { row in
      try lines.append(row, names: catalog.shownNames(ofClass: row.classIndex), level: level)
    }
    push(&frame)
    let hiddenTargets = lines.takeHiddenTargets()
    guard depth < bounds.depth, !isFull else { return }
    for index in frame.startOfMentions..<frame.endOfMentions { claim(lines.mentions[index].target, by: id) }
    for target in hiddenTargets { claim(target, by: id) }
  }

  private mutating func claim(_ target: ObjectID?, by id: ObjectID) {
    guard let target, Int(target.rawValue) < progress.count else { return }
    guard progress[Int(target.rawValue)] == .unseen else { return }
    progress[Int(target.rawValue)] = .claimed(by: id)
  }

  /// Removes the text of the innermost frame that was printed, if its last mention was met: a long chain that
  /// is open takes little memory then.
  private mutating func dropWhatWasPrinted() {
    guard let top = stack.indices.last, stack[top].nextMention == stack[top].endOfMentions else { return }
    let printed = stack[top].start..<stack[top].position
    lines.removeText(printed)
    stack[top].position = printed.lowerBound
    stack[top].end -= printed.count
  }

  /// Prints what is left in the open frames, and passes on all that was printed, also before an error.
  private mutating func printOpen() throws {
    do {
      try printFrames()
    } catch {
      try passOn()
      throw error
    }
    try passOn()
  }

  private mutating func passOn() throws {
    try page.output.write(printed.bytes)
    printed.truncate(to: 0)
  }

  private mutating func printFrames() throws {
    while let top = stack.indices.last {
      guard stack[top].nextMention < stack[top].endOfMentions else {
        try printText(to: stack[top].end)
        let frame = stack.removeLast()
        if let id = frame.id { progress[Int(id.rawValue)] = .printed }
        lines.truncate(
          toText: frame.start, mentions: frame.startOfMentions, collections: frame.startOfCollections)
        continue
      }
      let mention = lines.mentions[stack[top].nextMention]
      try printText(to: mention.start)
      if let item = mention.item, isFull, isUnprinted(mention) {
        cut(lines.collections[item.collection], from: item.index)
      } else {
        stack[top].nextMention += 1
        if !mention.isEntry, let id = mention.id { try printReference(to: id, mention) }
      }
    }
  }

  /// Prints the text of the innermost frame up to an index.
  private mutating func printText(to end: Int) throws {
    let top = stack.count - 1
    printed.append(lines: lines.text.bytes[stack[top].position..<end])
    stack[top].position = end
    // Between two lines: a reference ends the one that is begun.
    if printed.count >= Output.blockByteCount { try passOn() }
  }

  /// Leaves out the elements of a collection from an index on.
  private mutating func cut(_ collection: TreeLines.Collection, from index: Int) {
    isCutByCount = true
    let top = stack.count - 1
    stack[top].position = collection.end
    stack[top].nextMention = collection.endOfMentions
    printed.beginLine(level: collection.level)
    printed.append("… \(grouped(collection.count - index)) more", .mark)
    printed.endLine()
  }

  // MARK: References

  private mutating func printReference(to id: ObjectID, _ mention: TreeLines.Mention) throws {
    let frame = stack[stack.count - 1]
    let row = Int(id.rawValue)
    let className = try catalog.shownClassName(of: id)
    try printText(to: mention.end)
    printed.append(className, .type)
    printed.append(id)
    let remark = remark(on: progress[row], mention, frame)
    if let remark { printed.append(remark, .mark) }
    printed.endLine()
    if printed.count >= Output.blockByteCount { try passOn() }
    guard remark == nil else { return }
    printedCount += 1
    page.progress?.note(printedCount, of: catalog.objectCount, "objects")
    try open(id, level: mention.level + 1, depth: frame.depth + 1)
  }

  /// What is said of an object that is not printed at a mention; nil if it is to be printed there.
  private mutating func remark(
    on progress: Progress, _ mention: TreeLines.Mention, _ frame: Frame
  ) -> String? {
    if progress == .open { return " (cycle)" }
    if progress == .printed { return " (above)" }
    if mention.isWeak { return progress == .unseen ? "" : " (below)" }
    if progress != .unseen, progress != .claimed(by: frame.owner) { return " (below)" }
    if frame.depth < bounds.depth, !isFull { return nil }
    if isFull { isCutByCount = true } else { isCutByDepth = true }
    return " …"
  }

  /// Whether an object would be printed at a mention, or at one inside of the entry that begins there.
  private func isUnprinted(_ mention: TreeLines.Mention) -> Bool {
    guard let id = mention.id, !mention.isWeak, Int(id.rawValue) < progress.count else { return false }
    return progress[Int(id.rawValue)].isUnprinted
  }

  private func printRest() throws {
    let restCount = catalog.objectCount - printedCount
    guard restCount > 0 else { return }
    var reasons: [String] = []
    if isCutByCount || lines.isCut { reasons.append("--limit \(bounds.count)") }
    if isCutByDepth { reasons.append("--depth \(bounds.depth)") }
    let reason = reasons.isEmpty ? "no strong reference leads to them" : reasons.joined(separator: ", ")
    try page.line(page.style(.mark, "… \(counted(restCount, "more object")) (\(reason))"))
  }
}
