// Conversions between a value and a value with a wrapper: an optional, a list of one element, or a URL around
// a string. Spec: 06-evolution, section 3.

extension ColumnResolver {
  /// Resolves a node of the program to the node that an optional of the file wraps. If the program has a
  /// list, the optional becomes a list of at most one element. Otherwise, reading is an error if the optional
  /// is nil. Returns false if the types do not fit.
  mutating func resolveUnwrapped(_ index: Int, _ fileIndex: Int) -> Bool {
    let (want, inner) = (wanted.nodes[index], file.nodes[fileIndex].children[0])
    guard markAsRead(fileIndex) else { return false }
    var innermost = inner
    while file.nodes[innermost].kind == .optional { innermost = file.nodes[innermost].children[0] }
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

  /// Whether the program has a list where the file has a single value.
  func isSingle(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node) -> Bool {
    switch (want.kind, have.kind) {
    case (.array, .array), (.array, .set), (.set, .array), (.set, .set): false
    case (.array, .data): wanted.nodes[want.children[0]].kind != .uint8
    case (.array, _), (.set, _): true
    default: false
    }
  }

  /// Resolves a list of the program to a node of single values. Each value becomes a list of one element, and
  /// a null reference becomes an empty list. Returns false if the types do not fit.
  mutating func resolveSingle(_ index: Int, _ fileIndex: Int) -> Bool {
    let (want, have) = (wanted.nodes[index], file.nodes[fileIndex])
    guard let carrier = carrier(of: fileIndex), have.kind != .weak, !have.isRecursive else { return false }
    let isReference = have.kind == .reference
    setSource(of: index, carrier, isReference ? .references : .single)
    guard isReference else { return resolve(want.children[0], fileIndex) }
    guard wanted.nodes[want.children[0]].kind == .reference, markAsRead(fileIndex) else { return false }
    setSource(of: want.children[0], fileIndex, .objects)
    return true
  }

  /// Whether the file has references without a declared class where the program has values that are not
  /// references. An importer writes such references for a property that is nil in all objects.
  func isNothing(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node) -> Bool {
    guard have.kind == .reference, have.name == nil else { return false }
    var inner = want
    while inner.kind == .optional { inner = wanted.nodes[inner.children[0]] }
    if inner.kind == .array || inner.kind == .set { inner = wanted.nodes[inner.children[0]] }
    return inner.kind != .reference && inner.kind != .weak
  }

  /// Resolves a node of the program to references without a declared class. Null references become nil or
  /// empty collections. Returns false if the types do not fit.
  mutating func resolveNothing(_ index: Int, _ fileIndex: Int) -> Bool {
    guard !wanted.nodes[index].isRecursive, markAsRead(fileIndex) else { return false }
    switch wanted.nodes[index].kind {
    case .optional, .array, .set, .dictionary: setSource(of: index, fileIndex, .nothing)
    // Only a list without elements fits a type that cannot be nil.
    default: return isInside && refuseNothing(index, fileIndex)
    }
    return true
  }

  /// Marks a node so that reading a value is an error. For a structure, marks its fields instead. Used inside
  /// lists: a file whose lists have no elements can be read, because no value is read. Returns false if the
  /// types do not fit.
  private mutating func refuseNothing(_ index: Int, _ fileIndex: Int) -> Bool {
    let node = wanted.nodes[index]
    guard node.kind == .structure || node.kind == .url else {
      setSource(of: index, fileIndex, .refused)
      return true
    }
    sources[index - firstNode] = ResolvedColumn(node: fileIndex)
    return !node.isRecursive && !node.children.isEmpty
      && node.children.allSatisfy { refuseNothing($0, fileIndex) }
  }

  /// Resolves a string of the program to a URL of the file, or a URL of the program to a string of the file.
  /// In both cases, the URL must not have a base. Returns false if the types do not fit.
  mutating func resolveURL(_ index: Int, _ fileIndex: Int) -> Bool {
    let (want, have) = (wanted.nodes[index], file.nodes[fileIndex])
    if have.kind == .url {
      let before = conditions
      conditions.append(
        ColumnConversion.Condition(node: have.children[1], isPresent: false, wanted: index))
      defer { conditions = before }
      return want.kind == .string && markAsRead(fileIndex) && resolve(index, have.children[0])
    }
    guard have.kind == .string else { return false }
    setSource(of: index, nil, .unchanged)
    setSource(of: want.children[1], fileIndex, .absent)
    return resolve(want.children[0], fileIndex)
  }

  /// Resolves a node of the program to a node of the file that is nested in other values. The conditions on
  /// the enclosing values are not checked on the nested values. Returns false if the types do not fit.
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

  /// Returns the node that stores one value per value of `fileIndex`: the node itself, or its first field
  /// that stores one value per value. Nil if there is no such node.
  private func carrier(of fileIndex: Int) -> Int? {
    let node = file.nodes[fileIndex]
    if node.kind.storage != .none { return fileIndex }
    return node.kind == .structure || node.kind == .url
      ? node.children.lazy.compactMap { carrier(of: $0) }.first : nil
  }
}
