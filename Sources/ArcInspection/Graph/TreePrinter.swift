import ArcArchive
import ArcFormat

/// Prints the graph as a tree. Each object is printed once, below the object that first refers to it.
///
/// When an object is opened, it claims the targets of its strong references. The printer then prints these
/// targets directly below the object, and not deeper. Weak references do not claim their targets. At any
/// other reference to an object, the printer appends a remark:
/// - `(below)` if the object is printed later
/// - `(above)` if the object was printed before
/// - `(cycle)` if the object is open: the reference is then nested in the object
///
/// The printer uses its own stack instead of recursion, because objects may form a chain of a million
/// objects.
struct TreePrinter: ~Copyable {
  /// The limits of the output.
  struct Bounds {
    /// The maximum number of levels of objects.
    var depth: Int
    /// The maximum number of objects, and of elements of one collection.
    var count: Int
  }

  /// The progress of printing an object. The progress is stored as a 32-bit number, because each row has a
  /// progress.
  private struct Progress: Equatable {
    private let number: UInt32

    static let unseen = Progress(number: 0)
    static let open = Progress(number: 1)
    static let printed = Progress(number: 2)

    /// Returns the progress of an object that `owner` has claimed: the printer later prints the object below
    /// `owner`. If the sum overflowed, its number could mean another progress. No limit allows so many rows.
    static func claimed(by owner: ObjectID) -> Progress { Progress(number: owner.rawValue &+ 3) }

    var isUnprinted: Bool { self != .open && self != .printed }
  }

  /// An open object, or an open value that does not belong to an object. `lines` contains the lines of all
  /// frames, from the bottom to the top of the stack.
  private struct Frame {
    /// The object. Nil if the frame is a value without an object.
    let id: ObjectID?
    /// The number of open objects in which this object is nested.
    let depth: Int
    /// The offset in the text at which the frame's lines begin.
    let start: Int
    /// The index in `lines.mentions` of the frame's first mention: a position in the text at which the
    /// printer stops, usually at a reference.
    let startOfMentions: Int
    /// The index in `lines.collections` of the frame's first collection.
    let startOfCollections: Int
    /// The offset of the first byte that is not printed.
    var position: Int
    /// The index in `lines.mentions` of the first mention that is not processed.
    var nextMention: Int
    /// The offset in the text at which the frame's lines end.
    var end = 0
    /// The index in `lines.mentions` after the frame's last mention.
    var endOfMentions = 0

    /// The object that claims the targets of references in this frame. For a value without an object, this is
    /// row 0, which contains the named roots.
    var owner: ObjectID { id ?? ObjectID(rawValue: 0) }
  }

  private let catalog: ObjectCatalog
  private let page: Page
  private let bounds: Bounds
  private var lines: TreeLines
  /// Lines that were printed and are not yet written to the page.
  private var printed: StyledText
  /// The progress of each object, by row.
  private var progress: [Progress]
  private var stack: [Frame] = []
  private var printedCount = 0
  private var isCutByDepth = false
  private var isCutByCount = false
  /// Whether all reached objects and elements were printed, because no bound was exceeded.
  var isWithinBounds: Bool { !isCutByDepth && !isCutByCount && !lines.isCut }

  /// Creates a printer. Long strings and data are truncated, unless `isWhole` is true.
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

  /// Prints the named roots and all objects within the bounds, then the number of objects that were not
  /// printed.
  mutating func print() throws {
    let roots = try catalog.roots()
    try open(roots.id, level: 0, depth: 0)
    try printOpen()
    try printRest()
  }

  /// Prints a value after a name, and the objects that the value reaches, within the bounds. An object that
  /// was printed before is only mentioned.
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

  /// Pushes a frame whose lines were appended.
  private mutating func push(_ frame: inout Frame) {
    frame.end = lines.text.count
    frame.endOfMentions = lines.mentions.count
    stack.append(frame)
  }

  private mutating func open(_ id: ObjectID, level: Int, depth: Int) throws {
    dropPrintedText()
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

  /// Removes the printed text of the innermost frame if its last mention was processed. So a long chain of
  /// open objects needs little memory.
  private mutating func dropPrintedText() {
    guard let top = stack.indices.last, stack[top].nextMention == stack[top].endOfMentions else { return }
    let printed = stack[top].start..<stack[top].position
    lines.removeText(printed)
    stack[top].position = printed.lowerBound
    stack[top].end -= printed.count
  }

  /// Prints the lines of all open frames that are not printed yet. Then writes all printed lines to the page,
  /// even if an error ended the printing.
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

  /// Prints the text of the innermost frame up to an offset.
  private mutating func printText(to end: Int) throws {
    let top = stack.count - 1
    printed.append(lines: lines.text.bytes[stack[top].position..<end])
    stack[top].position = end
    // The text may end within a line, which `printReference` then completes.
    if printed.count >= Output.blockByteCount { try passOn() }
  }

  /// Omits all elements of a collection from `index` on, and prints the number of omitted elements.
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

  /// Returns the remark that follows a reference, such as `(above)`. Nil if no remark is needed, because the
  /// object is printed below this reference.
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

  /// Returns whether a mention has a strong reference to an object that is neither printed nor open. If the
  /// mention is the beginning of a dictionary entry, the reference in the entry counts.
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
