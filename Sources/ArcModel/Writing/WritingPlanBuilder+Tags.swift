import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// Checking properties with the name of the tag. A reader reads the tag into these properties, so a plan
// rejects every property that cannot be the string of the tag.

extension WritingPlanBuilder {
  /// Checks a property whose path begins with the name of the tag. Throws in two cases: a writer would always
  /// write the property instead of the tag, or a reader would read the tag into the property, which cannot
  /// have the tag's value.
  func check(
    _ leaf: MemberTree.Leaf, _ mapping: PropertyMapping, beside tag: TypeTag, of owner: String
  ) throws {
    let isNilWithoutMember = leaf.omitsNil && canBeNil(leaf.node)
    for (position, path) in mapping.paths.enumerated() {
      guard path.firstName?.hasSameBytes(as: tag.name) ?? false else { continue }
      // A reader uses a later path if the value at the first path is missing or null.
      if position > 0, !mapping.rules.isRead || !canBeNil(leaf.node) { continue }
      guard path.steps.count == 1 || position > 0 && !isNilWithoutMember else {
        throw ModelWritingError.wrongTag(
          found: "the path '\(path)' of property '\(mapping.key)' of \(owner), whose tag is "
            + "'\(tag.name)'",
          expected: "a path that does not begin with the name of the tag")
      }
      if path.steps.count == 1, mapping.rules.isRead || !isNilWithoutMember {
        try checkValue(mapping, ofNode: leaf.node, tag, of: owner)
      }
    }
  }

  /// Checks a property that is read but not written. Throws if a reader would read the tag into this
  /// property, and the property cannot have the tag's value.
  func checkUnwritten(
    _ mapping: PropertyMapping, ofNode node: Int, beside tag: TypeTag, of owner: String
  ) throws {
    guard mapping.rules.isRead, !mapping.rules.isWritten,
      mapping.paths.contains(where: { $0.name?.hasSameBytes(as: tag.name) ?? false })
    else { return }
    try checkValue(mapping, ofNode: node, tag, of: owner)
  }

  /// Throws if a structure contains values of its own type, and has a property with the name of its tag. Only
  /// the outermost value has a tag, so the property would be the tag in this value only.
  func checkRecursion(of members: MemberTree, of owner: String) throws {
    guard let tag = members.tag, members.names.contains(where: { $0.hasSameBytes(as: tag.name) }) else {
      return
    }
    throw ModelWritingError.wrongTag(
      found: "property '\(tag.name)' of \(owner), which contains itself and whose tag is '\(tag.name)'",
      expected: "a property with a different name")
  }

  private func checkValue(
    _ mapping: PropertyMapping, ofNode node: Int, _ tag: TypeTag, of owner: String
  ) throws {
    if case .custom? = mapping.format?.kind { return }
    guard !canBe(tag, node) else { return }
    throw ModelWritingError.wrongTag(
      found: "property '\(mapping.key)' of \(owner), whose tag is '\(tag.name)'",
      expected: "a property that can be the string \"\(printableName(tag.texts[0]))\"")
  }

  private func canBe(_ tag: TypeTag, _ index: Int) -> Bool {
    let node = layout.nodes[index]
    switch node.kind {
    case .string, .url: return true
    case .optional: return canBe(tag, node.children[0])
    case .structure: return mappings.jsonNodes.contains(index)
    case .enumeration where mappings.codedNodes.contains(index): return true
    case .enumeration:
      switch mappings.formats[index]?.kind {
      case .untagged: return true
      case .tagged: return false
      default:
        let cases = mappings.cases[index] ?? node.labels.map { [$0] }
        return zip(cases, node.payloads).contains { names, payload in
          payload == nil && names.contains { $0.hasSameBytes(as: tag.texts[0]) }
        }
      }
    default: return false
    }
  }

  /// Returns the tag of the plan's objects. Returns nil if the objects have no tag, or are not written as
  /// JSON objects.
  mutating func objectTag(of objects: RowWriter?, boxedNode: Int?) -> WritingPlan.ObjectTag? {
    guard let tag, let objects else { return nil }
    if let boxedNode, nodes[boxedNode].kind != .structure || nodes[boxedNode].form != .plain { return nil }
    let owner = boxedNode.map { "'\(layout.nodes[$0].name ?? "a value")'" } ?? "class '\(objects.type)'"
    return WritingPlan.ObjectTag(
      type: tag, name: names.add(tag.name), text: names.add(tag.texts[0]), owner: owner,
      properties: tagProperties)
  }
}
