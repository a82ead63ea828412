import ArcFormat

/// Prints the graph as a tree, each object once, below the object that names it first.
///
/// An object that is opened claims what its strong references lead to, so that nothing sinks deeper than it
/// must. A mention elsewhere says `(below)` before the object is printed, `(above)` after it, and `(cycle)`
/// inside of it. Weak references claim nothing. The walk keeps a stack of its own: a chain of a million
/// objects is as good as any graph.
struct TreePrinter {
  /// How much is printed.
  struct Bounds {
    /// Levels of objects.
    var depth: Int
    /// Objects, and elements of one collection.
    var count: Int
  }

  /// How far an object has come, by row.
  private enum Progress: UInt8 { case unseen, claimed, open, printed }

  private let catalog: ObjectCatalog
  private let page: Page
  private let bounds: Bounds
  private let text: ValueText
  private var progress: [Progress]
  /// The rows that claimed a row.
  private var claimants: [ObjectID: ObjectID] = [:]
  private var stack: [TreeFrame] = []
  private var printedCount = 0
  private var isCutByDepth = false
  private var isCutByCount = false
  /// Whether the bounds left nothing out of what was printed.
  var isWithinBounds: Bool { !isCutByDepth && !isCutByCount }

  /// Long texts and data are cut, unless `isWhole`.
  init(_ catalog: ObjectCatalog, to page: Page, bounds: Bounds, isWhole: Bool = false) {
    self.catalog = catalog
    self.page = page
    self.bounds = bounds
    text = ValueText(style: page.style, isWhole: isWhole)
    progress = Array(repeating: .unseen, count: catalog.file.rowCount)
  }

  /// Prints everything within the bounds, then how many objects were left out.
  mutating func print() throws {
    let roots = try catalog.roots()
    open(roots, level: 0, depth: 0)
    try printOpen()
    try printRest()
  }

  /// Prints a value under a name, and the objects that it leads to within the bounds. An object that was
  /// printed before is only mentioned.
  mutating func print(_ value: TypedValue, named name: String) throws {
    stack.append(TreeFrame(value, named: name))
    try printOpen()
  }

  /// Prints what is left in the open frames.
  private mutating func printOpen() throws {
    while let top = stack.indices.last {
      guard let item = stack[top].next(catalog) else {
        stack.removeLast().object.map { progress[Int($0.id.rawValue)] = .printed }
        continue
      }
      // Frames are not copied: that retains all that they hold.
      if stack[top].isCollection,
        stack[top].position > bounds.count || (isFull && isUnprinted(item.value))
      {
        isCutByCount = true
        let frame = stack.removeLast()
        try line(mark("… \(grouped(frame.count - frame.position + 1)) more"), level: frame.level)
      } else {
        try print(item, in: top)
      }
    }
  }

  private var isFull: Bool { printedCount >= bounds.count }

  private mutating func open(_ object: ArchiveObject, level: Int, depth: Int) {
    progress[Int(object.id.rawValue)] = .open
    claimants[object.id] = nil
    stack.append(TreeFrame(object, level: level, depth: depth))
    guard depth < bounds.depth, !isFull else { return }
    catalog.forEachOwnedObject(of: object) { id in
      let row = Int(id.rawValue)
      guard row < progress.count, progress[row] == .unseen else { return }
      progress[row] = .claimed
      claimants[id] = object.id
    }
  }

  /// Prints an item of the frame at an index of the stack.
  private mutating func print(_ item: TreeFrame.Item, in frame: Int) throws {
    switch item {
    case .entry(let key, let value):
      if let key = text.line(key.value) {
        try print(.value(value, label: .key(key)), in: frame)
      } else {
        try line(mark("entry"), level: stack[frame].level)
        stack.append(TreeFrame(item, inside: stack[frame]))
      }
    case .value(let value, let label):
      if case .reference(let id?) = value.value {
        return try printReference(to: id, isWeak: value.isWeak, label, in: frame)
      }
      let shown = text.line(value.value)
      try page.beginLine(level: stack[frame].level)
      try writePrefix(label, isWeak: value.isWeak, isReference: false)
      try page.output.line(shown ?? heading(value.value))
      if shown == nil { stack.append(TreeFrame(item, inside: stack[frame])) }
    }
  }

  private mutating func printReference(
    to id: ObjectID, isWeak: Bool, _ label: TreeFrame.Label, in frame: Int
  ) throws {
    let className = try catalog.shownClassName(of: id)
    let (level, depth) = (stack[frame].level, stack[frame].depth)
    try page.beginLine(level: level)
    try writePrefix(label, isWeak: isWeak, isReference: true)
    try page.output.write(page.style(.type, className))
    try page.output.write(mark(" #" + String(id.rawValue)))
    let row = Int(id.rawValue)
    switch progress[row] {
    case .open: return try page.output.line(mark(" (cycle)"))
    case .printed: return try page.output.line(mark(" (above)"))
    case .unseen where isWeak: return try page.output.line("")
    case .claimed where isWeak || claimants[id] != stack[frame].owner:
      return try page.output.line(mark(" (below)"))
    case .unseen, .claimed: break
    }
    guard depth < bounds.depth, !isFull else {
      if isFull { isCutByCount = true } else { isCutByDepth = true }
      return try page.output.line(mark(" …"))
    }
    try page.output.line("")
    printedCount += 1
    page.progress?.note(printedCount, of: catalog.objectCount, "objects")
    open(try catalog.file.object(id), level: level + 1, depth: depth + 1)
  }

  private func isUnprinted(_ value: TypedValue) -> Bool {
    guard case .reference(let id?) = value.value, !value.isWeak, Int(id.rawValue) < progress.count else {
      return false
    }
    return progress[Int(id.rawValue)] == .unseen || progress[Int(id.rawValue)] == .claimed
  }

  /// Writes what is before a value in its line.
  private func writePrefix(_ label: TreeFrame.Label, isWeak: Bool, isReference: Bool) throws {
    if isWeak { try page.output.write(mark("weak ")) }
    switch label {
    case .none: break
    case .property(let name):
      try page.output.write(page.style(.key, name))
      try page.output.write(isReference ? mark(" → ") : " ")
    case .name(let name):
      try page.output.write(page.style(.key, name))
      try page.output.write(": ")
    case .key(let key):
      try page.output.write(key)
      try page.output.write(": ")
    }
  }

  /// What is printed before the lines of a value that has several.
  private func heading(_ value: ArchiveValue) -> String {
    switch value {
    case .array(let elements): mark("array of \(grouped(elements.count))")
    case .set(let elements): mark("set of \(grouped(elements.count))")
    case .dictionary(let entries): mark("dictionary of \(grouped(entries.count))")
    case .structure(let name, _): page.style(.type, name == "?" ? "structure" : printableName(name))
    case .enumeration(let name, let caseName, _): page.style(.type, ValueText.caseName(name, caseName))
    default: ""
    }
  }

  private func printRest() throws {
    let restCount = catalog.objectCount - printedCount
    guard restCount > 0 else { return }
    var reasons: [String] = []
    if isCutByCount { reasons.append("--limit \(bounds.count)") }
    if isCutByDepth { reasons.append("--depth \(bounds.depth)") }
    let reason = reasons.isEmpty ? "no strong reference leads to them" : reasons.joined(separator: ", ")
    try line(mark("… \(counted(restCount, "more object")) (\(reason))"), level: 0)
  }

  private func mark(_ text: String) -> String { page.style(.mark, text) }

  private func line(_ text: String, level: Int) throws { try page.line(text, level: level) }
}
