import Arc
import ArcFormat
import ArcJSON

// Filling structures. Each field has its own member, or keeps its initial value.

extension JSONRowFiller {
  func fillStructure(_ node: Int, _ index: Int) throws -> Bool {
    guard let plan = shape.structures[node] else { return try mismatch(node, index) }
    if plan.isJSON { return try fillJSON(plan, index) }
    let kind = document.word(at: index).kind
    guard kind == .object || kind == .array && !plan.hasNames else { return try mismatch(node, index) }
    if kind == .object {
      for key in document.keys(of: index) {
        let name = plan.names.first { document.isString(at: key, $0) }
        if let name { try issues.noteIfRepeated(key, named: name, of: index) }
      }
      if !plan.isEmbedded { try noteUnknown(besides: shape.memberPaths(node), index) }
    }
    // The fields of a tuple in an array have no names, so no field can be omitted.
    let existing = kind == .object && existingFields?.keepsFields(inNode: node) == true ? existingFields : nil
    var missing: [(JSONPath, String)] = []
    var isWhole = true
    for field in plan.fields {
      let part = part(field, at: index)
      if part == nil { try issues.noteObstacle(on: field.laterPaths, from: index) }
      if field.hasInitialValue { row.beginField(field.position, ofNode: node) }
      if let part, try fillDroppable(field, part, keepsValue: existing != nil) { continue }
      do {
        if try existing?.append(field, ofNode: node, to: row) == true { continue }
      } catch {
        try noteRefused(node, index, error)
        return false
      }
      if part == nil, field.rules.contains(.required) {
        missing.append((field.path, words(ofNode: field.node)))
      } else if field.hasInitialValue {
        row.setFieldAbsent(field.position, ofNode: node)
      } else if !fillNothing(field.node) {
        if part == nil { missing.append((field.path, words(ofNode: field.node))) }
        isWhole = false
      }
    }
    if missing.isEmpty { return isWhole }
    try issues.noteMissing(missing, at: index)
    return false
  }

  /// Appends the value of a field. Returns false if the value does not fit. If the field is not required, a
  /// value that does not fit is removed from the row completely.
  private func fillDroppable(
    _ field: StructurePlan.Field, _ index: Int, keepsValue: Bool
  ) throws -> Bool {
    let body = { [self] () throws -> Bool in
      guard let read = field.customRead else { return try fill(field.node, index) }
      return try fillCustom(field.node, index, read)
    }
    let canBeWithout =
      keepsValue || field.hasInitialValue || nodes[field.node].kind == .optional
      || nodes[field.node].kind == .reference
    return try canBeWithout ? appendWhole(field.node, body) : body()
  }

  /// Appends the result of a custom format for the JSON value at `index`. Returns false if the result does
  /// not fit.
  func fillCustom(
    _ node: Int, _ index: Int, _ read: (JSONValue) throws -> JSONValue
  ) throws -> Bool {
    guard let plain = try plainValue(at: index) else { return false }
    let text: JSONDocument
    do { text = try read(plain).jsonDocument(limits: shape.limits) } catch {
      try issues.noteRefusal(error, at: index)
      return false
    }
    let log = IssueLog(text, endsAtFirst: false)
    let isFilled = try JSONRowFiller(self, text, log, isLenient: conversion.isLenient).fill(node, 0)
    try issues.noteAll(log.all, at: index)
    return isFilled
  }

  /// Appends a value as JSON text, which is the form in archives.
  private func fillJSON(_ plan: StructurePlan, _ index: Int) throws -> Bool {
    guard let node = plan.fields.first?.node, let value = try plainValue(at: index) else { return false }
    row.append(text: Array(value.description.utf8).span, to: node)
    return true
  }

  /// Returns the JSON value at `index` as a `JSONValue`, which the program can change. Returns nil and
  /// reports an issue if it is nested too deeply.
  func plainValue(at index: Int) throws -> JSONValue? {
    guard
      shape.limits.depth <= JSONValue.maximumDepth
        || !document.isDeeper(than: JSONValue.maximumDepth, at: index)
    else {
      try issues.noteTooDeep(at: index)
      return nil
    }
    try issues.noteDuplicate(inside: index)
    return JSONValue(JSONNode(document, index))
  }

  /// Returns the document index of a field's value, or nil if there is no value. In an object, the field's
  /// value is at the first path at which there is a value that is not null. In an array, the field's value is
  /// the element at the field's position. For an embedded structure, the field's value is the object itself,
  /// if one of the object's members belongs to the structure.
  func part(_ field: StructurePlan.Field, at index: Int) -> Int? {
    guard document.word(at: index).kind == .object else { return document.element(field.position, of: index) }
    if field.rules.contains(.embedded) {
      let isPresent =
        field.rules.isRead
        && shape.memberPaths(field.node).contains { document.hasFirstMember(of: $0, index) }
      return isPresent ? index : nil
    }
    var found = field.name.flatMap { document.member($0, of: index) }
    for path in field.laterPaths {
      if let found, document.word(at: found).kind != .null { break }
      found = document.index(at: path, from: index) ?? found
    }
    return found
  }
}
