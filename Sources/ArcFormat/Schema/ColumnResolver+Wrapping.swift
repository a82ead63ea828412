// Values with something around them that the program's type does not have, or the other way round: optionals,
// lists of one, URLs. Spec: 06-evolution, section 3.

extension ColumnResolver {
  /// Resolves a node to what is inside of an optional of the file: a value that must be there, or a list of
  /// one or none.
  mutating func resolveUnwrapped(_ index: Int, _ fileIndex: Int) -> Bool {
    let (want, inner) = (wanted.nodes[index], file.nodes[fileIndex].children[0])
    guard take(fileIndex) else { return false }
    var innermost = inner
    var between: [Int] = []
    while file.nodes[innermost].kind == .optional {
      between.append(innermost)
      innermost = file.nodes[innermost].children[0]
    }
    if want.kind == .reference || want.kind == .weak, file.nodes[innermost].kind == .reference {
      guard between.allSatisfy({ take($0) }), take(innermost) else { return false }
      // A reference is nil where the outermost optional is: it is the one that the program has.
      setSource(of: index, innermost, .outermost(presence: fileIndex, between: between))
      return true
    }
    if isSingle(want, file.nodes[innermost]) {
      guard !file.nodes[fileIndex].isRecursive else { return false }
      setSource(of: index, fileIndex, .present)
      return resolveInside(want.children[0], inner)
    }
    let outer = conditions
    conditions.append(ColumnConversion.Condition(node: fileIndex, isPresent: true, wanted: index))
    defer { conditions = outer }
    return resolve(index, inner)
  }

  /// Whether a list of the program has single values in the file.
  func isSingle(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node) -> Bool {
    switch (want.kind, have.kind) {
    case (.array, .array), (.array, .set), (.set, .array), (.set, .set): false
    case (.array, .data): wanted.nodes[want.children[0]].kind != .uint8
    case (.array, _), (.set, _): true
    default: false
    }
  }

  /// Resolves a list to a node of single values, each of which becomes a list of its own; a reference to no
  /// object becomes an empty one.
  mutating func resolveSingle(_ index: Int, _ fileIndex: Int) -> Bool {
    let (want, have) = (wanted.nodes[index], file.nodes[fileIndex])
    guard let carrier = carrier(of: fileIndex), have.kind != .weak, !have.isRecursive else { return false }
    guard have.kind == .reference, !isObject else {
      setSource(of: index, carrier, isObject ? .lists : .single)
      return resolve(want.children[0], fileIndex)
    }
    setSource(of: index, carrier, .references)
    return resolveObjects(want.children[0], fileIndex)
  }

  /// Resolves an optional around something that has an optional or a list of its own to references: one to no
  /// object becomes nil of the outermost optional, as of a value that is optional in the file.
  mutating func resolveOptionalReference(_ index: Int, _ fileIndex: Int) -> Bool {
    setSource(of: index, fileIndex, .presence)
    return resolveObjects(wanted.nodes[index].children[0], fileIndex)
  }

  /// Whether an optional takes references to no object, rather than a reference in it.
  func takesNoObject(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node) -> Bool {
    guard want.kind == .optional, have.kind == .reference, !isObject else { return false }
    switch wanted.nodes[want.children[0]].kind {
    case .optional, .array, .set, .reference: return true
    default: return false
    }
  }

  /// Resolves a node to references without those to no object.
  private mutating func resolveObjects(_ index: Int, _ fileIndex: Int) -> Bool {
    isObject = true
    defer { isObject = false }
    return resolve(index, fileIndex)
  }

  /// Resolves a URL to a string, without a base, or a string to a URL, which must have none.
  mutating func resolveURL(_ index: Int, _ fileIndex: Int) -> Bool {
    let (want, have) = (wanted.nodes[index], file.nodes[fileIndex])
    if have.kind == .url {
      let before = conditions
      conditions.append(
        ColumnConversion.Condition(node: have.children[1], isPresent: false, wanted: index))
      defer { conditions = before }
      return want.kind == .string && take(fileIndex) && resolve(index, have.children[0])
    }
    guard have.kind == .string else { return false }
    setSource(of: index, nil, .unchanged)
    setSource(of: want.children[1], fileIndex, .absent)
    return resolve(want.children[0], fileIndex)
  }

  /// Resolves a node to what is inside of values: conditions on these do not count there.
  mutating func resolveInside(_ index: Int, _ fileIndex: Int) -> Bool {
    let outer = (conditions, isInside)
    (conditions, isInside) = ([], true)
    defer { (conditions, isInside) = outer }
    return resolve(index, fileIndex)
  }

  private mutating func setSource(of index: Int, _ fileIndex: Int?, _ form: ColumnConversion.Form) {
    let conversion = fileIndex.map {
      ColumnConversion(form: form, kind: file.nodes[$0].kind, conditions: conditions)
    }
    sources[index - firstNode] = ResolvedColumn(node: fileIndex, conversion: conversion)
  }

  /// The node with a value of its own for each value of a node: itself, or the first such field; nil if there
  /// is none.
  private func carrier(of fileIndex: Int) -> Int? {
    let node = file.nodes[fileIndex]
    if node.kind.storage != .none { return fileIndex }
    return node.kind == .structure || node.kind == .url
      ? node.children.lazy.compactMap { carrier(of: $0) }.first : nil
  }
}
