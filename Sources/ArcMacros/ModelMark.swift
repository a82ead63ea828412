import SwiftSyntax

// `@JSONRule`, `@JSONFormat` and `@Key(…, json:)`: what module ArcModel reads of a property. They are handed
// on as they are written, and change nothing of what is archived.

extension AttributeListSyntax {
  /// The marks of a property that are meant for models, in order.
  var modelMarks: [AttributeSyntax] {
    plain.filter { $0.baseName == "JSONRule" || $0.baseName == "JSONFormat" || $0.modelKeys != nil }
  }
}

/// The argument by which marks are handed on; nothing where there are none.
func marksArgument(_ marks: [String]) -> String {
  marks.isEmpty ? "" : ", marks: [\(marks.joined(separator: ", "))]"
}

extension AttributeSyntax {
  /// Whether it says that a weak property is written.
  var includesWeak: Bool {
    guard baseName == "JSONRule", case .argumentList(let arguments) = arguments else { return false }
    return arguments.contains {
      $0.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.plainName == "included"
    }
  }

  /// The arguments of a `@Key` that name members of JSON; nil where there are none.
  fileprivate var modelKeys: LabeledExprListSyntax.SubSequence? {
    guard baseName == "Key", case .argumentList(let arguments) = arguments,
      let first = arguments.firstIndex(where: { $0.label?.text == "json" })
    else { return nil }
    return arguments[first...]
  }

  /// The expression of what ArcModel gets of the mark.
  var modelDescription: String {
    let name = baseName == "Key" ? "__JSONKeys" : baseName == "JSONRule" ? "JSONRules" : "ValueFormat"
    if let keys = modelKeys {
      return "ArcModel.\(name)(\(keys.map(\.trimmedDescription).joined(separator: " ")))"
    }
    return "ArcModel.\(name)(\(arguments?.trimmedDescription ?? ""))"
  }
}
