// Which steps lead from a property to a value in it: `[3].style`. Only numbers are noted when an error
// occurs; the steps follow from them and from the lengths, bits and cases in the columns around the value.

/// Columns of one class in one segment, which are read or written.
protocol ValueColumns {
  var layout: ColumnLayout { get }
  /// The number of values of a node.
  func count(ofNode node: Int) -> Int
  /// A length, a bit, the program's number of a case, or a number of up to 64 bits; nil for an unknown case.
  func number(_ index: Int, ofNode node: Int) -> Int?
  /// Whether the file has no column for a node, whose values are those of the node inside it.
  func isTransparent(_ node: Int) -> Bool
  /// A string; nil if it cannot be told.
  func text(_ index: Int, ofNode node: Int) -> String?
}

extension ValueColumns {
  /// The steps from a property to a value in it; none where they cannot be told, as in recursive types.
  ///
  /// - Complexity: O(values around it in the segment), without recursion.
  func steps(to place: ValueLocation) -> [ValuePath.Step] {
    guard layout.nodes.indices.contains(place.node) else { return [] }
    let column = layout.nodes(ofRoot: layout.root(of: place.node))
    var parents: [Int: Int] = [:]
    for node in column {
      for child in layout.nodes[node].children where child > node { parents[child] = node }
    }
    var (node, index) = (place.node, place.index)
    var steps: [[ValuePath.Step]] = []
    while let parent = parents[node] {
      guard !layout.nodes[parent].isRecursive,
        let position = layout.nodes[parent].children.firstIndex(of: node),
        let outer = step(from: parent, toChild: position, index)
      else { return [] }
      steps.append(outer.steps)
      (node, index) = (parent, outer.index)
    }
    return steps.reversed().flatMap { $0 }
  }

  /// The steps from a value of a node to one of a child, and the index of the outer value.
  private func step(
    from parent: Int, toChild child: Int, _ index: Int
  ) -> (steps: [ValuePath.Step], index: Int)? {
    let node = layout.nodes[parent]
    switch node.kind {
    case .structure:
      // The payload of a case is a structure without a name, of which one value needs no step of its own.
      let name = node.labels[child]
      let isOnly = node.name == "?" && node.labels.count == 1 && name.isEmpty
      return (isOnly ? [] : [.field(name, at: child)], index)
    case .url: return ([], index)
    case .optional:
      if isTransparent(parent) { return ([], index) }
      return position(ofValue: index, in: parent) { $0 == 1 ? 1 : 0 }.map { ([], $0.outer) }
    case .enumeration:
      guard let known = node.payloads.firstIndex(of: child) else { return nil }
      return position(ofValue: index, in: parent) { $0 == known ? 1 : 0 }
        .map { ([.name(node.labels[known])], $0.outer) }
    case .array, .set:
      return position(ofValue: index, in: parent) { $0 }.map { ([.element($0.inner)], $0.outer) }
    case .dictionary:
      return position(ofValue: index, in: parent) { $0 }.map { found in
        let steps: [ValuePath.Step] =
          child == 0
          ? .key(at: found.inner) : .value(keyStep(index, ofNode: node.children[0]), at: found.inner)
        return (steps, found.outer)
      }
    default: return nil
    }
  }

  /// Which value of a node has the inner value `index` in it, and at which place.
  private func position(
    ofValue index: Int, in node: Int, _ innerCount: (Int?) -> Int?
  ) -> (outer: Int, inner: Int)? {
    var first = 0
    for outer in 0..<count(ofNode: node) {
      guard let length = innerCount(number(outer, ofNode: node)), length >= 0 else { return nil }
      if index - first < length { return (outer, index - first) }
      first += length
    }
    return nil
  }

  /// The step to the value for a key; nil if the key has no literal.
  private func keyStep(_ index: Int, ofNode node: Int) -> ValuePath.Step? {
    switch layout.nodes[node].kind {
    case .string: return text(index, ofNode: node).map { .key(.text(ValuePath.Name($0))) }
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
      return number(index, ofNode: node).map { .element($0) }
    case .bool: return number(index, ofNode: node).map { .key(.bool($0 == 1)) }
    case .enumeration:
      let (labels, payloads) = (layout.nodes[node].labels, layout.nodes[node].payloads)
      guard let known = number(index, ofNode: node), labels.indices.contains(known), payloads[known] == nil
      else { return nil }
      return .key(.enumerationCase(ValuePath.Name(labels[known])))
    default: return nil
    }
  }

  /// The string at an index of those that lie one behind the other in `bytes`; nil if it is no string.
  fileprivate static func text(
    _ index: Int, in bytes: ByteView, length: (_ index: Int) -> Int
  ) -> String? {
    var start = 0
    for earlier in 0..<index { start &+= length(earlier) }
    let count = length(index)
    guard start >= 0, count >= 0, count <= bytes.count - start else { return nil }
    return String(checkedUTF8: bytes[start..<start + count])
  }
}

// MARK: - Reading

extension ColumnReaderSet: ValueColumns {
  /// The steps from a property to the value that an error names by numbers.
  package func steps(of error: ArchiveError) -> [ValuePath.Step] { error.valuePlace.map(steps) ?? [] }

  func count(ofNode node: Int) -> Int { chunk(ofNode: node).count }

  func isTransparent(_ node: Int) -> Bool { column(ofNode: node).node.value.isAlwaysPresent }

  func number(_ index: Int, ofNode node: Int) -> Int? {
    let chunk = chunk(ofNode: node)
    guard index >= 0, index < chunk.count else { return nil }
    let column = column(ofNode: node).node
    if chunk.width == 0 { return chunk.bit(index) ? 1 : 0 }
    let bits = chunk.unsigned(index)
    if column.value.kind == .enumeration {
      let stored = Int(truncatingIfNeeded: bits)
      return column.value.cases.indices.contains(stored) ? column.value.cases[stored] ?? -1 : nil
    }
    return column.value.isSigned
      ? Int(exactly: chunk.values.signed(index, width: chunk.width)) : Int(exactly: bits)
  }

  func text(_ index: Int, ofNode node: Int) -> String? {
    let chunk = chunk(ofNode: node)
    guard index >= 0, index < chunk.count, layout.nodes[node].kind == .string else { return nil }
    if chunk.usesStringTable {
      // A step without its text is still right. The text is reported when its value is read.
      let id = chunk.unsigned(index)
      return unsafe try? column(ofNode: node).node.value.strings.takeUnretainedValue().string(id)
    }
    return Self.text(index, in: chunk.text) { Int(truncatingIfNeeded: chunk.unsigned($0)) }
  }
}

// MARK: - Writing

extension ColumnWriterSet: ValueColumns {
  /// The steps from a property to the value that an error names by numbers.
  package func steps(of error: ArchiveError) -> [ValuePath.Step] { error.valuePlace.map(steps) ?? [] }

  /// The index of the property with the value that an error names by numbers.
  package func slot(of error: ArchiveError) -> Int? {
    error.valuePlace.flatMap { layout.nodes.indices.contains($0.node) ? layout.root(of: $0.node) : nil }
  }

  /// The steps from a property to a value in it.
  package func steps(toValueAt place: ValueLocation) -> [ValuePath.Step] { steps(to: place) }

  func count(ofNode node: Int) -> Int { column(ofNode: node).node.value.count }

  func isTransparent(_ node: Int) -> Bool { false }

  func number(_ index: Int, ofNode node: Int) -> Int? {
    let column = column(ofNode: node).node
    // Arrays that were borrowed are numbers in columns without others around them.
    guard column.value.borrowed.isEmpty else { return nil }
    let (bytes, width) = (column.value.values.bytes, column.value.valueByteCount)
    guard index >= 0, width <= 8, index < bytes.count / width else { return nil }
    if case .integers(_, isSigned: true) = column.value.kind.storage {
      return Int(exactly: bytes.signed(index, width: width))
    }
    return Int(exactly: bytes.unsigned(index, width: width))
  }

  func text(_ index: Int, ofNode node: Int) -> String? {
    let column = column(ofNode: node).node
    guard let length = number(index, ofNode: node) else { return nil }
    if column.value.usesStringTable {
      return UInt32(exactly: length).flatMap { column.value.strings.value.index.string($0) }
    }
    return Self.text(index, in: column.value.extra.bytes) { number($0, ofNode: node) ?? 0 }
  }
}

extension ColumnWriter {
  /// The place of the value that is appended next, while that of a set or dictionary, or a value with a
  /// length or a case, is appended already.
  package var nextPlace: ValueLocation? {
    var first = node
    while first.value.kind.storage.isNone {
      guard first.value.children.count > 0, first.value.children[0].value.index > first.value.index else {
        return nil
      }
      first = first.value.children[0]
    }
    return ValueLocation(node: node.value.index, index: first.value.count)
  }
}
