import ArcRuntime

/// The rows at the beginning of two files that have the same bytes in both, and so the same values: Arc
/// numbers objects as they are reached, so those of equal graphs have equal numbers up to the first
/// difference.
///
/// None where objects can be in sets or keys, whose numbers tell nothing: they follow from what is behind.
struct EqualRows {
  private let file: ArchiveFile
  /// Indices of the segments with these rows.
  private var segments: [Int] = []
  /// The number of rows, which begin with row 0.
  private(set) var count = 0

  init(_ first: ArchiveFile, _ second: ArchiveFile) {
    file = first
    let hashes = first.layouts.contains { layout in
      layout.nodes.contains { node in
        (node.kind == .set || node.kind == .dictionary)
          && layout.reaches(from: node.children[0]) { $0.kind == .reference || $0.kind == .weak }
      }
    }
    if hashes { return }
    for (index, (segment, other)) in zip(first.segments, second.segments).enumerated() {
      guard first.hasSameBytes(segment, as: other, of: second) else { return }
      guard segment.kind == .rows else { continue }
      guard first.hasSameLinks(segment, as: second) else { return }
      segments.append(index)
      count = segment.firstIndex + segment.count
    }
  }

  /// Calls `body` with each reference of these rows that does not lead to row 0.
  ///
  /// - Complexity: O(rows · properties with references + references).
  func forEachReference(_ body: (_ owner: Int, _ target: Int, _ isWeak: Bool) -> Void) throws {
    for index in segments {
      let segment = try file.rows(inSegment: index)
      var owners: [Int: [Int]] = [:]
      for run in segment.runs { owners[run.classIndex, default: []] += run.rows }
      for rows in segment.classes {
        try forEachReference(of: rows, owners[rows.classIndex] ?? [], body)
      }
    }
  }

  private func forEachReference(
    of rows: RowsSegment.ClassRows, _ owners: [Int],
    _ body: (_ owner: Int, _ target: Int, _ isWeak: Bool) -> Void
  ) throws {
    let set = file.schema.columns(ofClass: rows.classIndex)
    set.bind(rows.chunks)
    for root in 0..<rows.columnCount {
      let nodes = set.layout.nodes(ofRoot: root).filter {
        [.reference, .weak].contains(set.layout.nodes[$0].kind)
      }
      guard !nodes.isEmpty else { continue }
      let chunks = nodes.map { set.chunk(ofNode: $0) }
      var positions = [Int](repeating: 0, count: nodes.count)
      let isDirect = nodes[0] == set.layout.roots[root]
      for owner in owners {
        if !isDirect { try set.skip(root: root, count: 1) }
        for (index, node) in nodes.enumerated() {
          let end = isDirect ? positions[index] + 1 : set.position(ofNode: node)
          while positions[index] < min(end, chunks[index].count) {
            let target = Int(truncatingIfNeeded: chunks[index].unsigned(positions[index]))
            if target != 0 { body(owner, target, set.layout.nodes[node].kind == .weak) }
            positions[index] += 1
          }
        }
      }
    }
  }
}

extension ArchiveFile {
  /// Whether a segment has the same bytes as one of another file.
  fileprivate func hasSameBytes(_ segment: SegmentInfo, as other: SegmentInfo, of file: ArchiveFile) -> Bool {
    store.bytes[segment.byteOffset..<segment.endOffset]
      .isEqual(to: file.store.bytes[other.byteOffset..<other.endOffset])
  }

  /// Whether the weak references of a segment of rows are the same in another file.
  fileprivate func hasSameLinks(_ rows: SegmentInfo, as file: ArchiveFile) -> Bool {
    let links = contents.weakColumnsByFirstRow[rows.firstIndex]
    let others = file.contents.weakColumnsByFirstRow[rows.firstIndex]
    guard let links, let others else { return links == nil && others == nil }
    return hasSameBytes(links, as: others, of: file)
  }
}
