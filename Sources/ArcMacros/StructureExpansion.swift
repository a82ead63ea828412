/// The extension that makes a struct an `ArchivableValue`.
struct StructureExpansion {
  var type: TypeDeclaration
  var properties: [StoredProperty]
  /// Whether stored properties are omitted.
  var omitsProperties: Bool
  var findings: Findings

  /// The source of the extension, beginning with its where clause.
  var source: String {
    let members = [type.nameProperty, typeEncoding, write, read, initializer] + [check].compactMap { $0 }
    return "\(type.whereClause) {\n\(members.map(indented).joined(separator: "\n"))\n}"
  }

  private var typeEncoding: String {
    let members = properties.enumerated().map { slot, property in
      let get = plainAccessor(of: property, parameter: "value", type: "Self")
      let set = property.isConstant ? "" : ", \(setter(of: property, parameter: "owner"))"
      let arguments = "\(property.archivedArgument)\(ModelMark.argument(of: property, at: slot))"
      return "context.member(\(property.memberArguments), \(get)\(set)\(arguments))"
    }
    let marks = ModelMark.statements(properties.map(\.modelMarks))
    let structure = ArcMacros.source(
      "context.structure(self\(omitsProperties ? ", omitsFields: true" : "")\(older))", [list(members)])
    return type.typeEncodingFunction(findings.body(marks + [result(structure, after: marks)]))
  }

  /// The argument that lists the older fields from which fields are converted. Empty if there are none.
  private var older: String {
    let older = properties.enumerated().flatMap { slot, property in
      property.conversions.map { "\(slot): \($0.description)" }
    }
    return older.isEmpty ? "" : ", older: [\(older.joined(separator: ", "))]"
  }

  private var check: String? {
    DeclarationCheck(statements: properties.enumerated().flatMap { $1.check(of: "value", at: $0) })
      .function("(_ value: Self)", findings: findings)
  }

  private var write: String {
    let calls = properties.enumerated().map { $1.archiving(by: "column.write", at: $0) }
    return type.writeFunction(findings.body(calls))
  }

  private var read: String {
    type.readFunction(findings.body(["try self.init(__reading: column)"]))
  }

  /// The initializer that reads the fields.
  ///
  /// The initializer first reads the fields in the order in which they were written, because the fields of a
  /// recursive structure share columns with the fields of nested values. It then reads the older fields, and
  /// sets the fields that are converted from them. It sets wrapped fields last, as in
  /// `inOrderOfInitialization`. Among the wrapped fields, the fields that already have a value are last.
  private var initializer: String {
    let lastWithoutValue = properties.lastIndex { !$0.isWrapped || !$0.hasInitialValue } ?? 0
    var reads: [String] = []
    var initializations: [String] = []
    var changes: [String] = []
    var converted: [String] = []
    var olderReads: [String] = []
    var olderIndex = properties.count
    for (slot, property) in properties.enumerated() {
      let name = "self.\(property.name)"
      if !property.conversions.isEmpty {
        let type = accessor(of: property, parameter: "value", type: "Self")
        reads.append("let value\(slot) = try column.valueIfPresent(\(slot), of: \(type))")
        olderReads += property.conversions.map { conversion in
          defer { olderIndex += conversion.keys.count }
          return conversion.reading(from: olderIndex)
        }
        let assignment = conversion(of: property, at: slot, olderFieldsBefore: olderIndex)
        if property.isWrapped, property.hasInitialValue {
          changes += assignment
        } else {
          converted += assignment
        }
        continue
      }
      guard property.isWrapped, slot < lastWithoutValue else {
        let initial = property.hasInitialValue ? ", default: \(property.archived(name))" : ""
        let value = property.restored(call: "column.value(\(slot)\(initial))")
        switch (property.isWrapped, property.hasInitialValue) {
        case (false, _): reads.append("\(name) = \(value)")
        case (true, false): initializations.append("\(name) = \(value)")
        case (true, true): changes += ["let value\(slot) = \(value)", set(property, to: "value\(slot)")]
        }
        continue
      }
      let type = accessor(of: property, parameter: "value", type: "Self")
      let assignment = "\(name) = \(property.restored("value\(slot)"))"
      if property.hasInitialValue {
        reads.append("let value\(slot) = try column.valueIfPresent(\(slot), of: \(type))")
        let change = set(property, to: property.restored("value\(slot)"))
        changes.append("if let value\(slot) {\n  \(change)\n}")
      } else {
        reads.append("let value\(slot) = try column.value(\(slot), of: \(type))")
        initializations.append(assignment)
      }
    }
    return ArcMacros.source(
      "private init(__reading column: \(arc)ColumnReader) throws",
      findings.body(reads + olderReads + converted + initializations + changes))
  }

  /// Returns the statement that sets a wrapped field that already has a value.
  private func set(_ property: StoredProperty, to value: String) -> String {
    "column.__set(\(literal(property.plainName)), of: &self, to: \(value)) { $0.\(property.name) = $1 }"
  }

  /// Returns the statement that sets a field to its own value, or to the value converted from older fields.
  ///
  /// - Parameters:
  ///   - property: the field.
  ///   - slot: the index of the field.
  ///   - end: the index after the older fields of the field.
  /// - Returns: the lines of the statement.
  private func conversion(of property: StoredProperty, at slot: Int, olderFieldsBefore end: Int) -> [String] {
    var index = end
    var value: String?
    for conversion in property.conversions.reversed() {
      index -= conversion.keys.count
      value = conversion.value(ofFieldsFrom: index, older: value)
    }
    let initial = property.hasInitialValue ? ", default: self.\(property.name)" : ""
    let older = "older: { changesOnly in \(value ?? "nil") }"
    let call = "try column.__value(\(slot), value\(slot)\(initial), \(older))"
    guard property.isWrapped, property.hasInitialValue else {
      return [property.located("self.\(property.name) = \(call)", conversionLine: 0)].lines
    }
    let constant = property.located("let made\(slot) = \(call)", conversionLine: 0)
    return [constant].lines + [set(property, to: "made\(slot)")]
  }
}

extension TypeDeclaration {
  /// ` where T: Arc.ArchivableValue` for each type parameter. Empty without type parameters.
  var whereClause: String {
    let requirements = typeParameters.map { "\($0): \(arc)ArchivableValue" }
    return requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
  }

  var nameProperty: String {
    source("\(closedAccess)static var __archiveName: \(arc)__ArchiveName", [archiveName])
  }

  // Members of an enum repeat the where clause of its conformance. In an extension, they inherit the clause.

  func typeEncodingFunction(requiring requirements: String = "", _ lines: [String]) -> String {
    source(
      "\(closedAccess)static func __typeEncoding(in context: \(arc)__TypeEncodingContext) "
        + "-> \(arc)TypeEncoding\(requirements)", lines)
  }

  func writeFunction(requiring requirements: String = "", _ lines: [String]) -> String {
    source("\(closedAccess)func __write(to column: \(arc)ColumnWriter) throws\(requirements)", lines)
  }

  func readFunction(requiring requirements: String = "", _ lines: [String]) -> String {
    source(
      "\(closedAccess)static func __read(from column: \(arc)ColumnReader) throws -> Self\(requirements)",
      lines)
  }
}
