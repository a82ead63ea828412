import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that make an enum without raw values an `ArchivableValue`: a tagged union.
struct EnumerationExpansion {
  var type: TypeDeclaration
  var cases: [EnumerationCase]
  var findings: Findings

  var members: [DeclSyntax] {
    [type.nameProperty, typeEncoding, write, read].map(DeclSyntax.init(unparsed:))
  }

  private var requirements: String {
    type.whereClause.isEmpty ? "" : "\n \(type.whereClause)"
  }

  private var typeEncoding: String {
    let members = cases.enumerated().map { index, element in
      let keys = element.keys.map { ", keys: [\($0.joined(separator: ", "))]" } ?? ""
      let payload = element.payload.map {
        "context.associatedValue(\(literal($0.plainLabel)), \($0.form?.type ?? $0.type).self"
          + ($0.initialValue == nil ? ")" : ", hasInitialValue: true)")
      }
      let payloadArgument = payload.isEmpty ? "" : ", \(list(payload))"
      let marks = ModelMark.argument(element.modelMarks, of: index)
      return "context.enumerationCase(\(literal(element.plainName))\(keys)\(marks)\(payloadArgument))"
    }
    let marks = ModelMark.statements(cases.map(\.modelMarks))
    let enumeration = source("context.enumeration(self)", [list(members)])
    return type.typeEncodingFunction(
      requiring: requirements, findings.body(marks + [result(enumeration, after: marks)]))
  }

  /// The check of the associated values, for the extension of the enum.
  ///
  /// The check is not in the enum itself: the compiler (6.3) checks functions that a macro adds to an enum
  /// only during code generation, and an error at that time crashes the compiler. The extension cannot name
  /// the types of associated values, so the check gets the values from patterns.
  var check: String? {
    let arms = cases.map { element in
      let head = "case .\(element.name)"
      if element.payload.isEmpty { return DeclarationCheck.Statement(call: "\(head): break") }
      let bindings = element.payload.enumerated().map { "\($1.labelPrefix)let value\($0)" }
      return DeclarationCheck.Statement(call: "\(head)(\(bindings.joined(separator: ", "))):")
    }
    if cases.allSatisfy(\.payload.isEmpty) { return nil }
    let statements = zip(arms, cases).flatMap { arm, element in
      [arm] + element.payload.enumerated().map { $1.check(of: "value\($0)") }
    }
    return DeclarationCheck(
      statements: [.init(call: "switch value {")] + statements + [.init(call: "}")]
    ).function("(_ value: Self)", findings: findings)
  }

  private var write: String {
    let arms = cases.enumerated().map { index, element in
      if element.payload.isEmpty {
        return "case .\(element.name):\n  _ = column.beginCase(\(index))"
      }
      let bindings = element.payload.enumerated().map { "\($1.labelPrefix)let value\($0)" }
      let calls = element.payload.enumerated().map { index, value in
        "  try payload.write(\(value.form?.archived("value\(index)") ?? "value\(index)"), at: \(index))"
      }
      return """
        case .\(element.name)(\(bindings.joined(separator: ", "))):
          let payload = column.beginCase(\(index))
        \(calls.joined(separator: "\n"))
        """
    }
    return type.writeFunction(requiring: requirements, findings.body(["switch self {"] + arms + ["}"]))
  }

  private var read: String {
    let arms = cases.enumerated().map { index, element in
      if element.payload.isEmpty { return "case \(index):\n  return .\(element.name)" }
      let values = element.payload.enumerated().map { index, value in
        "\(value.labelPrefix)\(value.restored(at: index))"
      }
      return """
        case \(index):
          let payload = column.payload(\(index))
          return try .\(element.name)(\(values.joined(separator: ", ")))
        """
    }
    return type.readFunction(
      requiring: requirements,
      findings.body(
        ["switch try column.readCase() {"] + arms + ["default:\n  throw column.unknownCase()", "}"]))
  }
}

extension EnumerationCase.Payload {
  fileprivate var labelPrefix: String { label.map { "\($0): " } ?? "" }

  /// Returns the expression that reads the value. If the file has no value, the expression uses the default
  /// value.
  fileprivate func restored(at index: Int) -> String {
    guard let form else {
      return "payload.value(\(index)\(initialValue.map { ", default: \($0)" } ?? ""))"
    }
    let initial = initialValue.map { ", default: \(form.archived("(\($0) as \(type))"))" } ?? ""
    return form.restored("(payload.value(\(index)\(initial)) as \(form.type))")
  }
}
