package import ArcRuntime

/// How a node of the program's type is read from a file: the result of comparing the two types.
package struct ResolvedColumn: Equatable, Sendable {
  /// The node of the file's layout; nil if there is none or the program's node is just a wrapper.
  package var node: Int?
  package var isMissing = false
  /// The program has an optional where the file has a value that is not.
  package var isAlwaysPresent = false
  /// The program has an array of bytes where the file has data.
  package var isBytes = false
  package var isSigned = false
  /// For each case of the file the program's index of that case, nil if the program does not have it.
  package var cases: [Int?] = []
  /// The names of the file's cases.
  package var caseNames: [String] = []
  /// For each field of the program's structure the position of the file's field, if the structure is
  /// recursive: then values in its fields are in the same columns.
  package var fieldPositions: [Int?] = []
  /// The optionals of the file around fields that structures may lack, by the position of the program's
  /// field. Spec: 06-evolution, section 6.
  package var fieldPresence: [Int: ResolvedColumn] = [:]
  /// Whether the program reads values in it in another order than the file's, or not all of them.
  package var isRearranged = false
  /// Whether values of the file have fields, or cases have values, that the program's do not have.
  package var dropsParts = false
  /// How the values are made of the file's; nil if they are the same.
  package var conversion: ColumnConversion?

  /// A node for which the file has no values.
  package static let missing = ResolvedColumn(isMissing: true)
}

extension ResolvedColumn {
  /// Reads a node of the file as it is.
  package init(identity node: Int, in layout: ColumnLayout) {
    self.init(
      node: node, isSigned: layout.nodes[node].kind.integerType?.isSigned ?? false,
      cases: Array(layout.nodes[node].labels.indices), caseNames: layout.nodes[node].labels)
  }
}

/// Resolves every node of a property's type to a node of the file, if values of the file's type can be some
/// of the program's, and those that are lose nothing. Spec: 06-evolution, section 3, rule M4.
package struct ColumnResolver {
  let wanted: ColumnLayout
  let file: ColumnLayout
  /// By the name of a structure or enumeration, and by that of a field or case, the older names of the
  /// latter.
  private let olderNames: [ExactName: [ExactName: [String]]]
  /// For each node of the wanted root how it is read; nil if not resolved.
  var sources: [ResolvedColumn?] = []
  /// After a failure, the fields and cases that lead to what does not fit, innermost first.
  private var failingSteps: [ValuePath.Step] = []
  private(set) var firstNode = 0
  /// For each node of the file's column whether a wanted node reads it: each is read by one only.
  private var isTaken: [Bool] = []
  private var firstFileNode = 0
  /// The payload whose fields are resolved.
  private var payload: Payload?
  /// What must hold around the node that is resolved, value by value.
  var conditions: [ColumnConversion.Condition] = []
  /// Whether some structure has fields in the file that the program's does not have.
  package private(set) var dropsFields = false
  /// Whether a value that is optional in the file is not in the program, in a recursive type.
  private(set) var unwrapsRecursiveValues = false
  /// The fields that some structure or payload lacks in the file and that are not optional in the program.
  private(set) var lackedFields: [LackedField] = []
  /// The fields that have no initial value, as far as is known.
  private let requiredFields: [RequiredFields]
  /// Whether structures that lack a field in the file get the field's initial value. Only a program has one.
  private let hasInitialValues: Bool
  /// Whether the node that is resolved is inside of something that a value of the column may be without.
  var isInside = false

  /// Whether the node that is resolved belongs to an older field.
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
    /// The steps to it from the structure.
    let name: String
    /// Whether it is known that it has no initial value.
    let isRequired: Bool
    /// Whether each value of the column lacks it.
    let isInEachValue: Bool
    /// Whether the type in the file has the field, and only some structures have no value for it.
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

  /// Resolves the nodes of a wanted root, in layout order; `fileRoot` is nil if the file has no such column.
  ///
  /// - Returns: nil if the types do not fit.
  package mutating func resolve(root: Int, fileRoot: Int?) -> [ResolvedColumn]? {
    // A column includes what is nested in it, and the targets of mentions in it.
    let fileNodes = fileRoot.map { file.nodes(ofRoot: $0) }
    return resolve(root: root, fileNode: fileNodes?.lowerBound, within: fileNodes ?? 0..<0)
  }

  /// After a failure, words for which field or case of the type does not fit; empty if it is the whole type.
  package var failure: String {
    failingSteps.isEmpty ? "" : ", whose '\(failingSteps.reversed().shortText.dropFirst())' does not fit"
  }

  /// Resolves the nodes of a wanted root to a node of the file and those inside it; `fileNodes` is the column
  /// that contains it.
  package mutating func resolve(root: Int, fileNode: Int?, within fileNodes: Range<Int>) -> [ResolvedColumn]?
  {
    failingSteps = []
    sources = Array(repeating: nil, count: wanted.nodes(ofRoot: root).count)
    firstNode = wanted.roots[root]
    isTaken = Array(repeating: false, count: fileNodes.count)
    firstFileNode = fileNodes.lowerBound
    conditions = []
    (dropsFields, lackedFields, isInside) = (false, [], false)
    unwrapsRecursiveValues = false
    if let fileNode, !resolve(firstNode, fileNode) { return nil }
    return sources.map { $0 ?? .missing }
  }

  /// Resolves a wanted node and those inside it; false if they do not fit. Spec: 06-evolution, rule M4.
  mutating func resolve(_ index: Int, _ fileIndex: Int) -> Bool {
    let want = wanted.nodes[index]
    let have = file.nodes[fileIndex]
    // A recursive type leads back to a resolved node, which must have the same source.
    if let settled = sources[index - firstNode] {
      return settled.node == fileIndex || settled.isAlwaysPresent
    }
    if want.kind == .optional, have.kind != .optional {
      sources[index - firstNode] = ResolvedColumn(isAlwaysPresent: true)
      return resolve(want.children[0], fileIndex)
    }
    if have.kind == .optional, want.kind != .optional { return resolveUnwrapped(index, fileIndex) }
    if isSingle(want, have) { return resolveSingle(index, fileIndex) }
    if want.kind == .url || have.kind == .url, want.kind != have.kind { return resolveURL(index, fileIndex) }
    guard var source = directSource(want, have, fileIndex), take(fileIndex) else { return false }
    if want.kind == .array, have.kind == .data {
      source.isBytes = true
      sources[index - firstNode] = source
      return true
    }
    if want.kind == .data, have.kind == .array {
      let elements = have.children[0]
      source.conversion?.form = .bytes(elements: elements)
      sources[index - firstNode] = source
      return file.nodes[elements].kind == .uint8 && take(elements)
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
    // What is inside has other counts of values.
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

  /// Resolves the associated values of a case. They are in a structure of the layout, which has values only
  /// for the case.
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
        if !isMade(position, of: want, positions) {
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
        if take(fileChild), resolveInside(want.children[position], inner) { return true }
        failingSteps.append(.field(want.labels[position], at: position))
        return false
      }
      // Other values than those of the field are in the same columns, so a sieve finds where it is nil.
      if file.nodes[fileChild].kind == .optional, file.nodes[fileChild].isRecursive,
        wanted.nodes[want.children[position]].kind != .optional, take(fileChild)
      {
        fileChild = file.nodes[fileChild].children[0]
        sources[index - firstNode]?.isRearranged = true
        unwrapsRecursiveValues = true
      }
      return resolve(want.children[position], fileChild, .field(want.labels[position], at: position))
    }
    // Something must tell where a condition on the whole structure is not met.
    let presences = sources[index - firstNode]?.fieldPresence ?? [:]
    return fits
      && (conditions.isEmpty || presences.values.contains { $0.conversion != nil }
        || want.children.contains { hasConditions($0) })
  }

  /// The optional around a field that structures may lack. Nil if each structure has the field.
  private func presence(ofField fileChild: Int) -> ResolvedColumn? {
    guard hasInitialValues, file.nodes[fileChild].isAbsentIfNil else { return nil }
    let conversion = ColumnConversion(kind: .optional, conditions: conditions)
    return ResolvedColumn(node: fileChild, conversion: conversion.isNeeded ? conversion : nil)
  }

  /// For each field of the program's structure, including older fields, the index of the file's field.
  private func filePositions(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node) -> [Int?] {
    let own = (0..<want.fieldCount).map { filePosition(want, have, $0) }
    if want.olderFields.isEmpty { return own }
    // A field that is read as it is, is not converted.
    return own
      + want.labels[want.fieldCount...].map { label in
        have.labels.firstIndex { $0.hasSameBytes(as: label) }.flatMap { own.contains($0) ? nil : $0 }
      }
  }

  /// Whether a field is an older field, or is converted from older fields that the file has.
  private func isMade(_ position: Int, of want: ColumnLayout.Node, _ positions: [Int?]) -> Bool {
    if position >= want.fieldCount { return true }
    let older = want.olderFields.indices.filter { want.olderFields[$0].madeField == position }
    return older.contains { first in
      older.allSatisfy {
        want.olderFields[$0].conversion != want.olderFields[first].conversion
          || positions[want.fieldCount + $0] != nil
      }
    }
  }

  /// Notes that the file lacks a field of a structure, or of the payload of an enumeration's case.
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

  /// Whether a node, or a field of it, has values that are read only as far as the conditions are met.
  private func hasConditions(_ index: Int) -> Bool {
    if let conversion = sources[index - firstNode]?.conversion { return !conversion.conditions.isEmpty }
    let node = wanted.nodes[index]
    let isTransparent =
      node.kind == .structure || node.kind == .url || sources[index - firstNode]?.isAlwaysPresent ?? false
    return isTransparent && node.children.contains { $0 > index && hasConditions($0) }
  }

  /// The source of a node whose own values are made of those of one node of the file; nil if they cannot be.
  private func directSource(
    _ want: ColumnLayout.Node, _ have: ColumnLayout.Node, _ fileIndex: Int
  ) -> ResolvedColumn? {
    let isDataOrBytes =
      want.kind == .array && have.kind == .data || want.kind == .data && have.kind == .array
    guard let form = isDataOrBytes ? .unchanged : want.kind.conversion(of: have.kind) else { return nil }
    // Values of a recursive type are in one column with those inside of them.
    if have.isRecursive, !conditions.isEmpty { return nil }
    var source = ResolvedColumn(node: fileIndex)
    let conversion = ColumnConversion(form: form, kind: have.kind, conditions: conditions)
    let isNeeded = conversion.isNeeded || want.kind == .data && have.kind == .array
    if isNeeded, want.kind.storage != .none { source.conversion = conversion }
    return source
  }

  /// Marks a node of the file as read; false if another wanted node reads it.
  ///
  /// Several fields may be converted from one older field, except if its type is recursive: then the values
  /// of all levels are in one column.
  mutating func take(_ fileIndex: Int) -> Bool {
    guard !isTaken[fileIndex - firstFileNode] || isOlder && !file.nodes[fileIndex].isRecursive else {
      return false
    }
    isTaken[fileIndex - firstFileNode] = true
    return true
  }

  /// Resolves a field, or what a case has; `step` leads to it.
  private mutating func resolve(_ index: Int, _ fileIndex: Int, _ step: @autoclosure () -> ValuePath.Step)
    -> Bool
  {
    let fits = resolve(index, fileIndex)
    if !fits { failingSteps.append(step()) }
    return fits
  }

  private func olderNames(of label: String, in record: ColumnLayout.Node) -> [String] {
    olderNames[ExactName(record.name ?? "")]?[ExactName(label)] ?? []
  }

  /// The index of the file's field for the program's: by label and, where labels repeat, by occurrence; then
  /// by older names.
  private func filePosition(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node, _ position: Int) -> Int? {
    let label = want.labels[position]
    let occurrence = want.labels[..<position].count { $0.hasSameBytes(as: label) }
    for name in [label] + olderNames(of: label, in: want) {
      let places = have.labels.indices.filter { have.labels[$0].hasSameBytes(as: name) }
      if occurrence < places.count { return places[occurrence] }
    }
    return nil
  }

  /// The program's index of a case of the file: by label, then by older names; nil if it has none.
  private func wantedCase(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node, _ fileCase: Int) -> Int? {
    let label = have.labels[fileCase]
    return want.labels.firstIndex { $0.hasSameBytes(as: label) }
      ?? want.labels.firstIndex { current in
        olderNames(of: current, in: want).contains { $0.hasSameBytes(as: label) }
      }
  }
}
