/// The extension that makes a struct an `ArchivableValue`.
struct StructureExpansion {
  var type: TypeDeclaration
  var properties: [StoredProperty]
  /// Whether there are stored properties that are left out.
  var omitsProperties: Bool
  var findings: Findings

  /// The extension from its where clause on.
  var source: String {
    let members = [type.nameProperty, typeEncoding, write, read, initializer] + [check].compactMap { $0 }
    return "\(type.whereClause) {\n\(members.joined(separator: "\n"))\n}"
  }

  private var typeEncoding: String {
    let members = properties.map { property in
      let get = plainAccessor(of: property, parameter: "value", type: "Self")
      let set = property.isConstant ? "" : ", \(setter(of: property, parameter: "owner"))"
      let arguments = "\(property.archivedArgument)\(marksArgument(property.modelMarks))"
      return "context.member(\(property.descriptionArguments), \(get)\(set)\(arguments))"
    }
    return type.typeEncodingFunction(
      findings.body([
        ArcMacros.source(
          "context.structure(Self.self\(omitsProperties ? ", omitsFields: true" : ""))", [list(members)])
      ]))
  }

  private var check: String? {
    DeclarationCheck(statements: properties.enumerated().flatMap { $1.check(of: "value", at: $0) })
      .function("_ value: Self", findings: findings)
  }

  private var write: String {
    let calls = properties.enumerated().map { $1.archiving(by: "column.write", at: $0) }
    return type.writeFunction(findings.body(calls))
  }

  private var read: String {
    type.readFunction(findings.body(["try Self(__reading: column)"]))
  }

  /// Fields are read in the order in which they were written: inside of a recursive structure they share
  /// columns with the fields of the values that they hold. One with a wrapper is set last, see
  /// `inOrderOfInitialization`.
  private var initializer: String {
    let lastPlain = properties.lastIndex { !$0.isWrapped } ?? 0
    var reads: [String] = []
    var assignments: [String] = []
    for (slot, property) in properties.enumerated() {
      if property.isWrapped, slot < lastPlain {
        let type = accessor(of: property, parameter: "value", type: "Self")
        let function = property.hasInitialValue ? "valueIfPresent" : "value"
        reads.append("let value\(slot) = try column.\(function)(\(slot), of: \(type))")
        assignments.append(
          property.hasInitialValue
            ? "if let value\(slot) {\n  self.\(property.name) = \(property.restored("value\(slot)"))\n}"
            : "self.\(property.name) = \(property.restored("value\(slot)"))")
      } else {
        let initial =
          property.hasInitialValue ? ", default: \(property.archived("self.\(property.name)"))" : ""
        let assignment =
          "self.\(property.name) = \(property.restored(call: "column.value(\(slot)\(initial))"))"
        if property.isWrapped { assignments.append(assignment) } else { reads.append(assignment) }
      }
    }
    return ArcMacros.source(
      "private init(__reading column: Arc.ColumnReader) throws", findings.body(reads + assignments))
  }
}

extension TypeDeclaration {
  /// ` where T: Arc.ArchivableValue` for every type parameter, or nothing.
  var whereClause: String {
    let requirements = typeParameters.map { "\($0): Arc.ArchivableValue" }
    return requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
  }

  var nameProperty: String {
    source("\(closedAccess)static var __archiveName: Arc.ArchiveName", [archiveName])
  }

  // The members of an enum repeat the where clause of its conformance; those of an extension have it already.

  func typeEncodingFunction(requiring requirements: String = "", _ lines: [String]) -> String {
    source(
      "\(closedAccess)static func __typeEncoding(in context: Arc.TypeEncodingContext) "
        + "-> Arc.TypeEncoding\(requirements)", lines)
  }

  func writeFunction(requiring requirements: String = "", _ lines: [String]) -> String {
    source("\(closedAccess)func __write(to column: Arc.ColumnWriter) throws\(requirements)", lines)
  }

  func readFunction(requiring requirements: String = "", _ lines: [String]) -> String {
    source(
      "\(closedAccess)static func __read(from column: Arc.ColumnReader) throws -> Self\(requirements)",
      lines)
  }
}
