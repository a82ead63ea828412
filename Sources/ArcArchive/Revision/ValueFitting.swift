package import ArcFormat
package import ArcRuntime

// Finds the form in which a column stores a value that a program built without stating its type.

extension ArchiveValue {
  /// Returns the value in the form in which a column of a type stores it: numbers have the column's kind,
  /// fields have the column's order, and missing values are nil.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - hasObject: returns whether an object with a number exists.
  /// - Returns: the value.
  /// - Throws: `typeMismatch` or `valueOutOfRange` if the column cannot store the value, `danglingReference`
  ///   if an object does not exist.
  package func fitted(
    to type: TypeEncoding, hasObject: (ObjectID) -> Bool
  ) throws(ArchiveError) -> ArchiveValue {
    let layout = try ColumnLayout(of: type)
    let value = fitted(layout, node: layout.roots[0], depth: 0)
    // The closure does not escape, because the checker exists only in this function.
    var missing: ObjectID?
    try withoutActuallyEscaping(hasObject) { hasObject throws(ArchiveError) in
      let checker = ValueChecker(layout: layout, isStrict: false) { id, _ throws(ArchiveError) in
        if !hasObject(id) { missing = id }
      }
      try checker.check(value, node: layout.roots[0])
    }
    if let missing {
      throw ArchiveError(
        .danglingReference, found: "a reference to object \(missing)",
        expected: "a reference to an existing object")
    }
    return value
  }

  /// Returns the value in the form in which the first column of a layout stores it. Nil if the column cannot
  /// store the value. Targets of references are not checked.
  ///
  /// - Parameters:
  ///   - layout: the layout.
  ///   - convert: converts a value to a value of the kind of a node; nil if no values are converted.
  /// - Returns: the value.
  func held(by layout: ColumnLayout, converting convert: Conversion? = nil) -> ArchiveValue? {
    let value = fitted(layout, node: layout.roots[0], depth: 0, convert)
    let checker = ValueChecker(layout: layout, isStrict: false) { _, _ in }
    // An error of the checker means that the layout cannot store the value.
    guard (try? checker.check(value, node: layout.roots[0])) != nil else { return Optional.none }
    return value
  }

  /// Converts a value, but not its nested values, to a value of the kind of a node. Returns nil if the value
  /// needs no conversion, or if there is no conversion.
  typealias Conversion = (_ value: ArchiveValue, _ layout: ColumnLayout, _ node: Int) -> ArchiveValue?

  /// Returns the value in the form in which a node stores it, as far as possible. Recursive over the value.
  private func fitted(
    _ layout: ColumnLayout, node index: Int, depth: Int, _ convert: Conversion? = nil
  ) -> ArchiveValue {
    // The checker refuses values that are nested more deeply.
    guard depth <= 4 * ArchiveLimits.default.nesting else { return self }
    let node = layout.nodes[index]
    func child(_ value: ArchiveValue, _ position: Int) -> ArchiveValue {
      StackExtension.step {
        value.fitted(layout, node: node.children[position], depth: depth + 1, convert)
      }
    }
    func fittedChildren(of value: ArchiveValue) -> ArchiveValue {
      value.mapChildren { step, part in
        layout.position(of: step, in: index).map { child(part, $0) } ?? part
      }
    }
    if let other = convert?(self, layout, index) {
      return other.fitted(layout, node: index, depth: depth + 1, convert)
    }
    switch (node.kind, self) {
    case (.optional, .null), (.optional, .nestedNull): return self
    case (.optional, _): return child(self, 0)
    case (.reference, .null), (.weak, .null): return .reference(nil)
    case (.float64, _): return double.map { .double($0) } ?? self
    case (.float32, _), (.float16, _): return double.flatMap(Float.init(exactly:)).map { .float($0) } ?? self
    case (.uint128, .integer(let value)): return UInt128(exactly: value).map { .unsigned($0) } ?? self
    case (.decimal, .integer(let value)): return .decimal("\(value)")
    case (.url, .string(let text)): return .url(text, base: nil)
    case (.array, .set(let elements)): return fittedChildren(of: .array(elements))
    case (.set, .array(let elements)): return fittedChildren(of: .set(elements))
    case (.structure, .structure(_, let fields)):
      let partners = ChildPairs.partners(ofLabels: node.labels, in: fields.lazy.map(\.name))
      let ordered = node.labels.enumerated().compactMap { position, label -> Field? in
        let field = layout.nodes[node.children[position]]
        let partner = partners.map { $0[position] } ?? (position < fields.count ? position : nil)
        let known = partner.map { fields[$0].value }
        // Nil means that there is no value, so a value that is nil is nil inside the optional.
        let present = field.isAbsentIfNil ? known?.wrapped : known
        guard let value = present ?? field.kind.emptyValue else { return nil }
        return Field(name: label, value: child(value, position))
      }
      guard ordered.count == node.labels.count,
        fields.allSatisfy({ field in node.labels.contains { $0.hasSameBytes(as: field.name) } })
      else { return self }
      return .structure(name: node.name ?? "", fields: ordered)
    case (.enumeration, .enumeration(_, let name, let payload)):
      guard let position = layout.position(ofCase: name, in: index), let inner = node.payloads[position]
      else {
        return self
      }
      // A missing payload becomes a structure without fields, whose optional fields become nil. The checker
      // reports other missing fields.
      return .enumeration(
        name: node.name ?? "", case: name,
        payload: child(payload ?? .structure(name: "", fields: []), inner))
    default: return containerKind == node.kind ? fittedChildren(of: self) : self
    }
  }
}
