/// The extension that makes a struct an `ArchivableValue`.
struct StructureExpansion {
  var type: TypeDeclaration
  var properties: [StoredProperty]
  var findings: Findings

  /// The extension from its where clause on.
  var source: String {
    "\(type.whereClause) {\n\([typeEncoding, write, read, initializer].joined(separator: "\n"))\n}"
  }

  private var typeEncoding: String {
    let members = properties.map {
      "context.member(\($0.descriptionArguments), "
        + "\(accessor(of: $0.name, parameter: "value", type: "Self")))"
    }
    return type.typeEncodingFunction(
      findings.body([
        ArcMacros.source("context.structure(Self.self, name: \(type.archiveName))", [list(members)])
      ]))
  }

  private var write: String {
    let calls = properties.enumerated().map { slot, property in
      let function =
        switch property.ownership {
        case .strong: "write"
        case .weak: "writeWeak"
        case .unowned: "writeUnowned"
        }
      return "try column.\(function)(self.\(property.name), at: \(slot))"
    }
    return type.writeFunction(findings.body(calls))
  }

  private var read: String {
    type.readFunction(findings.body(["try Self(__reading: column)"]))
  }

  private var initializer: String {
    let assignments = properties.inOrderOfInitialization.map { slot, property in
      let initial = property.hasInitialValue ? ", default: self.\(property.name)" : ""
      return "self.\(property.name) = try column.value(\(slot)\(initial))"
    }
    return ArcMacros.source(
      "private init(__reading column: Arc.ColumnReader) throws", findings.body(assignments))
  }
}

extension TypeDeclaration {
  /// ` where T: Arc.ArchivableValue` for every type parameter, or nothing.
  var whereClause: String {
    let requirements = typeParameters.map { "\($0): Arc.ArchivableValue" }
    return requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
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
