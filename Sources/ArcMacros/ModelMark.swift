import SwiftSyntax

// `@JSONRule`, `@JSONFormat` and `@Key(…, json:)`: what module ArcModel reads of a property. They are handed
// on as they are written, and change nothing of what is archived.

extension AttributeListSyntax {
  /// The marks of a property that are meant for models, in order.
  var modelMarks: [AttributeSyntax] {
    plain.filter { $0.baseName == "JSONRule" || $0.baseName == "JSONFormat" || $0.modelKeys != nil }
  }
}

/// A mark that is passed to ArcModel: a statement of its own gives it a name, because the compiler reports
/// what is wrong with it at the line of that statement.
struct ModelMark: Equatable {
  /// The expression of what ArcModel gets of the mark.
  private let value: String
  private let place: SourcePosition?

  /// Reads a mark at a location. Nil if the location is unknown.
  init(_ mark: AttributeSyntax, place: SourcePosition?) {
    value = mark.modelDescription
    self.place = place
  }

  /// The statements that name the marks of a type's properties or cases, which are in order.
  static func statements(_ marks: [[ModelMark]]) -> [String] {
    marks.enumerated().flatMap { index, marks in
      marks.enumerated().map { position, mark in
        DeclarationCheck.Statement(
          call: "let \(name(position, of: index)) = \(mark.value)", place: mark.place)
      }
    }.lines
  }

  /// The argument that passes the marks of a case. Empty if the case has no marks.
  static func argument(_ marks: [ModelMark], of index: Int) -> String {
    argument(marks.indices.map { name($0, of: index) })
  }

  /// The argument that passes the marks of a property. Empty if the property has no marks.
  static func argument(of property: StoredProperty, at slot: Int) -> String {
    let names = property.modelMarks.indices.map { name($0, of: slot) }
    return argument((property.isPrivate ? ["\(arc)__PrivateAccess()"] : []) + names)
  }

  private static func argument(_ marks: [String]) -> String {
    marks.isEmpty ? "" : ", marks: [\(marks.joined(separator: ", "))]"
  }

  private static func name(_ position: Int, of index: Int) -> String { "mark\(index)_\(position)" }
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
  fileprivate var modelDescription: String {
    let name = baseName == "Key" ? "__JSONKeys" : baseName == "JSONRule" ? "JSONRules" : "ValueFormat"
    if let keys = modelKeys {
      return "\(arcModel)\(name)(\(keys.map(\.trimmedDescription).joined(separator: " ")))"
    }
    return "\(arcModel)\(name)(\(arguments?.trimmedDescription ?? ""))"
  }
}
