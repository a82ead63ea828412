// The path from a property to a value inside it, such as `[3].style`. An error notes only the node and the
// index of a value. The path is determined from these numbers, and from the lengths, bits and cases in the
// columns that contain the value.

/// The columns of one class in one segment, while they are read or written.
protocol ValueColumns {
  var layout: ColumnLayout { get }
  /// Returns the number of values of a node.
  func count(ofNode node: Int) -> Int
  /// Returns the number that a value stores: a length, a bit, the program's index of a case, or an integer of
  /// up to 64 bits. Nil for an unknown case.
  func number(_ index: Int, ofNode node: Int) -> Int?
  /// Whether a node has no column in the file, so that each of its values is the value of the node nested in
  /// it.
  func isTransparent(_ node: Int) -> Bool
  /// Returns a string. Nil if it cannot be read.
  func text(_ index: Int, ofNode node: Int) -> String?
}

extension ValueColumns {
  /// Returns the steps from a property to a value inside it. Empty if the steps cannot be determined, for
  /// example in a recursive type.
  ///
  /// - Complexity: O(*n*) in the number of the segment's values that contain the value or precede a
  ///   containing value. Not recursive.
  func steps(to location: ValueLocation) -> [ValuePath.Step] {
    guard layout.nodes.indices.contains(location.node) else { return [] }
    let column = layout.nodes(ofRoot: layout.root(of: location.node))
    var parents: [Int: Int] = [:]
    for node in column {
      for child in layout.nodes[node].children where child > node { parents[child] = node }
    }
    var (node, index) = (location.node, location.index)
    var steps: [[ValuePath.Step]] = []
    while let parent = parents[node] {
      guard !layout.nodes[parent].isRecursive,
        let child = layout.nodes[parent].children.firstIndex(of: node),
        let outer = container(ofValue: index, ofChild: child, in: parent)
      else { return [] }
      steps.append(self.steps(from: parent, toChild: child, outer.element, valueIndex: index))
      (node, index) = (parent, outer.index)
    }
    return steps.reversed().flatMap { $0 }
  }

  /// Finds the value of `parent` that contains a value of `child`. Returns the index of this container, and
  /// the position of the contained value (`element`) among all values of `child` in the container. Nil if no
  /// value of `parent` contains the value.
  private func container(
    ofValue index: Int, ofChild child: Int, in parent: Int
  ) -> (index: Int, element: Int)? {
    let node = layout.nodes[parent]
    if node.kind.nesting == .fields || isTransparent(parent) { return (index, 0) }
    var first = 0
    for outer in 0..<count(ofNode: parent) {
      // An unknown case has no values.
      let count = node.nestedValues(number(outer, ofNode: parent) ?? -1).count(inColumn: child)
      guard count >= 0 else { return nil }
      if index - first < count { return (outer, index - first) }
      first += count
    }
    return nil
  }

  /// Returns the steps from a value of a node to a value of a child inside it.
  private func steps(
    from parent: Int, toChild child: Int, _ element: Int, valueIndex: Int
  ) -> [ValuePath.Step] {
    let node = layout.nodes[parent]
    switch node.kind.nesting {
    // Neither the string of a URL nor the value of an optional has a step of its own.
    case .fields where node.kind == .url, .elements where node.kind == .optional, .none: return []
    case .fields:
      // The payload of a case is a structure without a name. If it has a single value without a label, this
      // value has no step of its own.
      let name = node.labels[child]
      let isOnly = node.name == "?" && node.labels.count == 1 && name.isEmpty
      return isOnly ? [] : [.field(name, at: child)]
    case .payload:
      return node.payloads.firstIndex(of: child).map { [.name(node.labels[$0])] } ?? []
    case .elements where node.children.count == 1: return [.element(element)]
    case .elements where child == 0: return .key(at: element)
    case .elements: return .value(keyStep(valueIndex, ofNode: node.children[0]), at: element)
    }
  }

  /// Returns the step to the value for a dictionary key. Nil if the key cannot be written as a literal.
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

  /// Returns the string at an index, from the bytes of consecutive strings. Nil if its bytes are not a valid
  /// string.
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
  /// Returns the steps from a property to the value at an error's `valueLocation`. Empty if the error has no
  /// such location.
  package func steps(of error: ArchiveError) -> [ValuePath.Step] { error.valueLocation.map(steps) ?? [] }

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
      // A path without the text is still correct. Reading the value reports what is wrong with the text.
      let id = chunk.unsigned(index)
      return unsafe try? column(ofNode: node).node.value.strings.takeUnretainedValue().string(id)
    }
    return Self.text(index, in: chunk.text) { Int(truncatingIfNeeded: chunk.unsigned($0)) }
  }
}

// MARK: - Writing

extension ColumnWriterSet: ValueColumns {
  /// Returns the steps from a property to the value at an error's `valueLocation`. Empty if the error has no
  /// such location.
  package func steps(of error: ArchiveError) -> [ValuePath.Step] { error.valueLocation.map(steps) ?? [] }

  /// Returns the index of the property that contains the value at an error's `valueLocation`.
  package func slot(of error: ArchiveError) -> Int? {
    error.valueLocation.flatMap { layout.nodes.indices.contains($0.node) ? layout.root(of: $0.node) : nil }
  }

  /// Returns the steps from a property to a value inside it.
  package func steps(toValueAt location: ValueLocation) -> [ValuePath.Step] { steps(to: location) }

  func count(ofNode node: Int) -> Int { column(ofNode: node).node.value.count }

  func isTransparent(_ node: Int) -> Bool { false }

  func number(_ index: Int, ofNode node: Int) -> Int? {
    let column = column(ofNode: node).node
    // Only arrays of numbers are borrowed, and numbers contain no values.
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
  /// The location of the value that is appended next. Valid after the lengths and cases of all enclosing
  /// values were appended. Nil if the column stores nothing for the value.
  package var nextLocation: ValueLocation? {
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
