import ArcRuntime

/// Where one column of the program gets its values from: the result of comparing its type with the file's.
package struct ColumnSource: Equatable, Sendable {
  /// The node of the file's layout; nil if the column is missing or a mere wrapper.
  package var node: Int?
  package var isMissing = false
  /// The program has an optional where the file has a plain value.
  package var isAlwaysPresent = false
  package var isSigned = false
  /// The file's cases as the program numbers them; nil for cases that it no longer has.
  package var cases: [Int?] = []

  /// Nothing in the file.
  package static let missing = ColumnSource(isMissing: true)
}

/// Finds a source for every node of one property: what `Spec/06-evolution.md` allows, and nothing that loses values.
package struct ColumnMatcher {
  let wanted: ColumnLayout
  let file: ColumnLayout
  /// Older names of a structure's fields and an enumeration's cases.
  let olderNames: (_ typeName: String, _ label: String) -> [String]
  /// For each node of the wanted root its source, if it was found.
  private var sources: [ColumnSource?] = []
  private var firstNode = 0
  /// For each node of the file's root whether it gives some node its values. Each is read once, by one node.
  private var isTaken: [Bool] = []
  private var firstFileNode = 0

  package init(
    wanted: ColumnLayout, file: ColumnLayout,
    olderNames: @escaping (String, String) -> [String] = { _, _ in [] }
  ) {
    self.wanted = wanted
    self.file = file
    self.olderNames = olderNames
  }

  /// The sources of a wanted root's nodes in layout order; `fileRoot` is nil where the file has no such column.
  /// Returns nil when the types do not fit.
  package mutating func match(root: Int, fileRoot: Int?) -> [ColumnSource]? {
    // What is inside a column, and what mentions in it lead to, belongs to the same column.
    sources = Array(repeating: nil, count: wanted.nodes(ofRoot: root).count)
    firstNode = wanted.roots[root]
    if let fileRoot {
      isTaken = Array(repeating: false, count: file.nodes(ofRoot: fileRoot).count)
      firstFileNode = file.roots[fileRoot]
      guard match(firstNode, firstFileNode) else { return nil }
    }
    return sources.map { $0 ?? .missing }
  }

  private mutating func match(_ index: Int, _ fileIndex: Int) -> Bool {
    let want = wanted.nodes[index]
    let have = file.nodes[fileIndex]
    // A recursive type comes back to a node that is settled; it must be settled in the same way.
    if let settled = sources[index - firstNode] {
      return settled.node == fileIndex || settled.isAlwaysPresent
    }
    if want.kind == .optional, have.kind != .optional {
      sources[index - firstNode] = ColumnSource(isAlwaysPresent: true)
      return match(want.children[0], fileIndex)
    }
    guard Self.fits(want.kind, have.kind), !isTaken[fileIndex - firstFileNode] else { return false }
    isTaken[fileIndex - firstFileNode] = true
    var source = ColumnSource(node: fileIndex)
    if case .integers(_, let isSigned) = have.kind.storage { source.isSigned = isSigned }
    source.isSigned = source.isSigned || have.kind == .int128
    if want.kind == .enumeration {
      source.cases = have.labels.indices.map { wantedCase(want, have, $0) }
    }
    sources[index - firstNode] = source
    switch want.kind {
    case .structure:
      return want.labels.indices.allSatisfy { position in
        guard let other = filePosition(want, have, position) else { return true }
        return match(want.children[position], have.children[other])
      }
    case .enumeration:
      return source.cases.indices.allSatisfy { fileCase in
        guard let wantedCase = source.cases[fileCase], let child = want.payloads[wantedCase],
          let other = have.payloads[fileCase]
        else { return true }
        return match(want.children[child], have.children[other])
      }
    default:
      return zip(want.children, have.children).allSatisfy { match($0, $1) }
    }
  }

  /// The file's field for the program's: by name and, where names repeat, by occurrence; then by older names.
  private func filePosition(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node, _ position: Int) -> Int? {
    let label = want.labels[position]
    let occurrence = want.labels[..<position].count { $0.hasSameBytes(as: label) }
    for name in [label] + olderNames(want.name ?? "", label) {
      let places = have.labels.indices.filter { have.labels[$0].hasSameBytes(as: name) }
      if occurrence < places.count { return places[occurrence] }
    }
    return nil
  }

  private func wantedCase(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node, _ fileCase: Int) -> Int? {
    let label = have.labels[fileCase]
    return want.labels.firstIndex { $0.hasSameBytes(as: label) }
      ?? want.labels.firstIndex { current in
        olderNames(want.name ?? "", current).contains { $0.hasSameBytes(as: label) }
      }
  }

  /// Whether every value of kind `have` is a value of kind `want`.
  private static func fits(_ want: ColumnKind, _ have: ColumnKind) -> Bool {
    if want == have { return true }
    switch (want, have) {
    case (.float64, .float32), (.weak, .reference), (.reference, .weak): return true
    default: break
    }
    guard let (wantedBits, wantedSign) = want.integerType, let (bits, isSigned) = have.integerType else {
      return false
    }
    return wantedSign == isSigned ? wantedBits >= bits : wantedSign && wantedBits > bits
  }
}
