package import ArcRuntime

/// Finds the source of each node of a property's type: the node of the file from which the values are read.
/// Types fit if some values of the file's type can be converted to the program's type without loss. Spec:
/// 06-evolution, section 3, rule M4.
package struct ColumnResolver {
  let wanted: ColumnLayout
  let file: ColumnLayout
  /// The older names of fields and cases, by the name of the structure or enumeration and by the current name
  /// of the field or case.
  let olderNames: [ExactName: [ExactName: [String]]]
  /// The source of each node of the wanted root, in the program's layout. Nil if the node is not resolved
  /// yet.
  var sources: [ResolvedColumn?] = []
  /// The path of fields and cases to the node that does not fit, in reverse order. Set after a failure.
  private var failingSteps: [ValuePath.Step] = []
  private(set) var firstNode = 0
  /// For each node of the file's column, whether a node of the program's column (a wanted node) reads it.
  /// Two wanted nodes never read the same node.
  private var isRead: [Bool] = []
  private var firstFileNode = 0
  /// The associated values whose fields are being resolved. Nil if there are none.
  private var payload: Payload?
  /// The conditions that each value of the current node must satisfy. They come from enclosing optionals and
  /// URLs of the file.
  var conditions: [ColumnConversion.Condition] = []
  /// Whether a structure of the file has fields that the program's structure does not have.
  package private(set) var dropsFields = false
  /// Whether a recursive type has values that are optional in the file but not in the program.
  private(set) var unwrapsRecursiveValues = false
  /// The fields that a structure or payload of the file lacks, and that are not optional in the program.
  private(set) var lackedFields: [LackedField] = []
  /// The fields and associated values that are known to have no initial value.
  private let requiredFields: [RequiredFields]
  /// Whether a structure that lacks a field in the file gets the field's initial value. False for schemas of
  /// files, which have no initial values.
  private let hasInitialValues: Bool
  /// Whether the current node is nested in a value that may have no nested values, such as a list.
  var isInside = false

  /// Whether the current node belongs to an older field.
  private var isOlder = false

  /// The structure that holds the associated values of a case.
  private struct Payload {
    let index: Int
    let enumeration: ColumnLayout.Node
    let wantedCase: Int

    var caseName: String { enumeration.labels[wantedCase] }
  }

  /// A field that a structure or payload lacks in the file.
  package struct LackedField {
    /// The path from the structure to the field.
    let name: String
    /// Whether the field is known to have no initial value.
    let isRequired: Bool
    /// Whether the field is missing in all values of the column.
    let isInEachValue: Bool
    /// Whether the file's type has the field, but some structures have no value for it.
    let isPartial: Bool
  }

  package init(
    wanted: ColumnLayout, file: ColumnLayout, olderNames: [ExactName: [ExactName: [String]]] = [:],
    requiredFields: [RequiredFields] = [], hasInitialValues: Bool = false
  ) {
    self.wanted = wanted
    self.file = file
    self.olderNames = olderNames
    self.requiredFields = requiredFields
    self.hasInitialValues = hasInitialValues
  }

  /// Resolves the nodes of a wanted root to nodes of the file. `fileRoot` is nil if the file has no such
  /// column.
  ///
  /// - Returns: the sources of the nodes, in the order of the layout. Nil if the types do not fit.
  package mutating func resolve(root: Int, fileRoot: Int?) -> [ResolvedColumn]? {
    // A column includes the nodes nested in it and the targets of the mentions in it.
    let fileNodes = fileRoot.map { file.nodes(ofRoot: $0) }
    return resolve(root: root, fileNode: fileNodes?.lowerBound, within: fileNodes ?? 0..<0)
  }

  /// A description of the field or case that caused a failure. Empty if the type does not fit as a whole.
  package var failure: String {
    failingSteps.isEmpty ? "" : ", whose '\(failingSteps.reversed().shortText.dropFirst())' does not fit"
  }

  /// Finds the source of each node of a root of the program. The root itself reads the node `fileNode`.
  /// `fileNodes` is the range of the nodes of the column that contains `fileNode`. Returns nil if the types
  /// do not fit.
  package mutating func resolve(root: Int, fileNode: Int?, within fileNodes: Range<Int>) -> [ResolvedColumn]?
  {
    failingSteps = []
    sources = Array(repeating: nil, count: wanted.nodes(ofRoot: root).count)
    firstNode = wanted.roots[root]
    isRead = Array(repeating: false, count: fileNodes.count)
    firstFileNode = fileNodes.lowerBound
    conditions = []
    (dropsFields, lackedFields, isInside) = (false, [], false)
    unwrapsRecursiveValues = false
    if let fileNode, !resolve(firstNode, fileNode) { return nil }
    return sources.map { $0 ?? .missing }
  }

  /// Resolves a wanted node to a node of the file, and also resolves the nodes nested in the wanted node.
  /// Returns false if the types do not fit. Spec: 06-evolution, rule M4.
  mutating func resolve(_ index: Int, _ fileIndex: Int) -> Bool {
    let want = wanted.nodes[index]
    let have = file.nodes[fileIndex]
    // A recursive type mentions a node that is already resolved. It must have the same source.
    if let settled = sources[index - firstNode] {
      return settled.node == fileIndex || settled.isAlwaysPresent
    }
    if isNothing(want, have) { return resolveNothing(index, fileIndex) }
    if want.kind == .optional, have.kind != .optional {
      sources[index - firstNode] = ResolvedColumn(isAlwaysPresent: true)
      return resolve(want.children[0], fileIndex)
    }
    if have.kind == .optional, want.kind != .optional { return resolveUnwrapped(index, fileIndex) }
    if isSingle(want, have) { return resolveSingle(index, fileIndex) }
    if want.kind == .url || have.kind == .url, want.kind != have.kind { return resolveURL(index, fileIndex) }
    guard var source = directSource(want, have, fileIndex), markAsRead(fileIndex) else { return false }
    if want.kind == .array, have.kind == .data {
      source.isBytes = true
      sources[index - firstNode] = source
      return true
    }
    if want.kind == .data, have.kind == .array {
      let elements = have.children[0]
      source.conversion?.form = .bytes(elements: elements)
      sources[index - firstNode] = source
      return file.nodes[elements].kind == .uint8 && markAsRead(elements)
    }
    source.isSigned =
      (source.conversion?.form == .values ? want.kind : have.kind).integerType?.isSigned ?? false
    if want.kind == .enumeration {
      source.cases = have.labels.indices.map { wantedCase(want, have, $0) }
      source.caseNames = have.labels
      source.dropsParts = source.cases.indices.contains { fileCase in
        guard let known = source.cases[fileCase], want.payloads[known] == nil else { return false }
        return have.payloads[fileCase] != nil
      }
      source.isRearranged = source.dropsParts && have.isRecursive
    }
    sources[index - firstNode] = source
    if want.kind == .structure { return resolveFields(index, want, have) }
    if want.kind == .url { return zip(want.children, have.children).allSatisfy { resolve($0, $1) } }
    // Nested values have other counts, so the conditions do not apply to them.
    let outer = (conditions, isInside)
    (conditions, isInside) = ([], true)
    defer { (conditions, isInside) = outer }
    switch want.kind {
    case .enumeration:
      return source.cases.indices.allSatisfy { fileCase in
        guard let wantedCase = source.cases[fileCase], let child = want.payloads[wantedCase] else {
          return true
        }
        let payload = Payload(index: want.children[child], enumeration: want, wantedCase: wantedCase)
        guard let other = have.payloads[fileCase] else {
          let structure = wanted.nodes[payload.index]
          for position in structure.children.indices { noteLack(of: position, in: structure, payload) }
          return true
        }
        return resolve(payload, have.children[other])
      }
    default:
      return zip(want.children, have.children).allSatisfy { resolve($0, $1) }
    }
  }

  /// Resolves the associated values of a case. The layout represents them as a structure, which has a value
  /// only for each enumeration value with this case. Returns false if the types do not fit.
  private mutating func resolve(_ inner: Payload, _ fileIndex: Int) -> Bool {
    let outer = payload
    payload = inner
    defer { payload = outer }
    return resolve(inner.index, fileIndex, .name(inner.caseName))
  }

  private mutating func resolveFields(_ index: Int, _ want: ColumnLayout.Node, _ have: ColumnLayout.Node)
    -> Bool
  {
    let positions = filePositions(want, have)
    if have.isRecursive || want.isRecursive { sources[index - firstNode]?.fieldPositions = positions }
    if have.isRecursive {
      sources[index - firstNode]?.isRearranged = positions.compactMap { $0 } != Array(have.children.indices)
    }
    if have.labels.indices.contains(where: { !positions.contains($0) }) {
      dropsFields = true
      sources[index - firstNode]?.dropsParts = true
    }
    let fits = positions.indices.allSatisfy { position in
      guard let other = positions[position] else {
        if !isConverted(position, of: want, positions) {
          noteLack(of: position, in: want, payload.flatMap { $0.index == index ? $0 : nil })
        }
        return true
      }
      let outer = isOlder
      isOlder = outer || position >= want.fieldCount
      defer { isOlder = outer }
      var fileChild = have.children[other]
      if let presence = presence(ofField: fileChild) {
        sources[index - firstNode]?.fieldPresence[position] = presence
        noteLack(
          of: position, in: want, payload.flatMap { $0.index == index ? $0 : nil }, isPartial: true)
        let inner = file.nodes[fileChild].children[0]
        if markAsRead(fileChild), resolveInside(want.children[position], inner) { return true }
        failingSteps.append(.field(want.labels[position], at: position))
        return false
      }
      // The same column contains values that do not belong to the field. A `ColumnSieve` finds the structures
      // in which the field is nil.
      if file.nodes[fileChild].kind == .optional, file.nodes[fileChild].isRecursive,
        wanted.nodes[want.children[position]].kind != .optional, markAsRead(fileChild)
      {
        fileChild = file.nodes[fileChild].children[0]
        sources[index - firstNode]?.isRearranged = true
        unwrapsRecursiveValues = true
      }
      return resolve(want.children[position], fileChild, .field(want.labels[position], at: position))
    }
    // A field must check the conditions on the structure, because a structure has no values of its own.
    let presences = sources[index - firstNode]?.fieldPresence ?? [:]
    return fits
      && (conditions.isEmpty || presences.values.contains { $0.conversion != nil }
        || want.children.contains { hasConditions($0) })
  }

  /// If structures of the file may lack a field, returns the source of the presence bits in the optional
  /// around the field. Nil if each structure has the field.
  private func presence(ofField fileChild: Int) -> ResolvedColumn? {
    guard hasInitialValues, file.nodes[fileChild].isAbsentIfNil else { return nil }
    let conversion = ColumnConversion(kind: .optional, conditions: conditions)
    return ResolvedColumn(node: fileChild, conversion: conversion.isNeeded ? conversion : nil)
  }

  /// Returns the position in the file of each field of the program's structure, including older fields. Nil
  /// for a field that the file does not have.
  private func filePositions(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node) -> [Int?] {
    let own = (0..<want.fieldCount).map { filePosition(want, have, $0) }
    if want.olderFields.isEmpty { return own }
    // A field that is read unchanged is not also converted.
    return own
      + want.labels[want.fieldCount...].map { label in
        have.labels.firstIndex { $0.hasSameBytes(as: label) }.flatMap { own.contains($0) ? nil : $0 }
      }
  }

  /// Whether the field at a position is an older field, or is converted from older fields that the file has.
  private func isConverted(_ position: Int, of want: ColumnLayout.Node, _ positions: [Int?]) -> Bool {
    if position >= want.fieldCount { return true }
    let older = want.olderFields.indices.filter { want.olderFields[$0].targetField == position }
    return older.contains { first in
      older.allSatisfy {
        want.olderFields[$0].conversion != want.olderFields[first].conversion
          || positions[want.fieldCount + $0] != nil
      }
    }
  }

  /// Records that the file lacks a field of a structure, or of the associated values of a case.
  private mutating func noteLack(
    of position: Int, in structure: ColumnLayout.Node, _ payload: Payload?, isPartial: Bool = false
  ) {
    guard wanted.nodes[structure.children[position]].kind != .optional else { return }
    let isRequired = RequiredFields.contain(
      position, of: (payload?.enumeration ?? structure).name ?? "", caseName: payload?.caseName,
      labels: Array(structure.labels.prefix(structure.fieldCount)), in: requiredFields)
    let steps: [ValuePath.Step] =
      (payload.map { [.name($0.caseName)] } ?? []) + [.field(structure.labels[position], at: position)]
    lackedFields.append(
      LackedField(
        name: String(steps.shortText.dropFirst()), isRequired: isRequired,
        isInEachValue: !isPartial && !isInside, isPartial: isPartial))
  }

  /// Whether conditions are checked on the values of a node or of one of its fields.
  private func hasConditions(_ index: Int) -> Bool {
    if let conversion = sources[index - firstNode]?.conversion { return !conversion.conditions.isEmpty }
    let node = wanted.nodes[index]
    let isTransparent =
      node.kind == .structure || node.kind == .url || sources[index - firstNode]?.isAlwaysPresent ?? false
    return isTransparent && node.children.contains { $0 > index && hasConditions($0) }
  }

  /// Returns the source of a wanted node that reads its own values from the node `fileIndex`. Nested nodes
  /// have their own sources. Nil if the kinds of the two nodes do not fit.
  private func directSource(
    _ want: ColumnLayout.Node, _ have: ColumnLayout.Node, _ fileIndex: Int
  ) -> ResolvedColumn? {
    let isDataOrBytes =
      want.kind == .array && have.kind == .data || want.kind == .data && have.kind == .array
    guard let form = isDataOrBytes ? .unchanged : want.kind.conversion(of: have.kind) else { return nil }
    // The column of a recursive type also contains the values nested in its values.
    if have.isRecursive, !conditions.isEmpty { return nil }
    var source = ResolvedColumn(node: fileIndex)
    let conversion = ColumnConversion(form: form, kind: have.kind, conditions: conditions)
    let isNeeded = conversion.isNeeded || want.kind == .data && have.kind == .array
    if isNeeded, want.kind.storage != .none { source.conversion = conversion }
    return source
  }

  /// Marks a node of the file as read. Returns false if another wanted node reads it already.
  ///
  /// Several fields may be converted from the same older field, so an older field may be marked again. This
  /// does not apply to recursive types, whose column contains the values of all levels of nesting.
  mutating func markAsRead(_ fileIndex: Int) -> Bool {
    guard !isRead[fileIndex - firstFileNode] || isOlder && !file.nodes[fileIndex].isRecursive else {
      return false
    }
    isRead[fileIndex - firstFileNode] = true
    return true
  }

  /// Resolves a field or the associated values of a case. `step` is the path step to the field or case.
  private mutating func resolve(_ index: Int, _ fileIndex: Int, _ step: @autoclosure () -> ValuePath.Step)
    -> Bool
  {
    let fits = resolve(index, fileIndex)
    if !fits { failingSteps.append(step()) }
    return fits
  }
}
