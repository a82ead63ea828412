import SwiftSyntax

// `@JSONRule`, `@JSONFormat` and `@Key(…, json:)`: attributes that module ArcModel reads. The macro passes
// their arguments on without change. They do not influence archives.

extension AttributeListSyntax {
  /// The attributes of a property that ArcModel reads, in order.
  var modelMarks: [AttributeSyntax] {
    plain.filter { $0.baseName == "JSONRule" || $0.baseName == "JSONFormat" || $0.modelKeys != nil }
  }
}

/// An attribute that is passed to ArcModel.
///
/// A separate statement declares a constant for each attribute. So the compiler reports an error in the
/// attribute at the line of this statement.
struct ModelMark: Equatable {
  /// The expression that creates ArcModel's value of the attribute.
  private let value: String
  private let location: SourcePosition?

  /// Reads an attribute. `location` is nil if the location of the attribute is unknown.
  init(_ mark: AttributeSyntax, location: SourcePosition?) {
    value = mark.modelDescription
    self.location = location
  }

  /// Returns the statements that declare constants for the attributes of all properties or cases, in order.
  static func statements(_ marks: [[ModelMark]]) -> [String] {
    marks.enumerated().flatMap { index, marks in
      marks.enumerated().map { position, mark in
        DeclarationCheck.Statement(
          call: "let \(name(position, of: index)) = \(mark.value)", location: mark.location)
      }
    }.lines
  }

  /// Returns the argument that passes the attributes of a case. Empty if the case has none.
  static func argument(_ marks: [ModelMark], of index: Int) -> String {
    argument(marks.indices.map { name($0, of: index) })
  }

  /// Returns the argument that passes the attributes of a property, and whether the property is private.
  /// Empty if the property is not private and has no attributes.
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
  /// Whether the attribute causes ArcModel to write a weak property in JSON.
  var includesWeak: Bool {
    guard baseName == "JSONRule", case .argumentList(let arguments) = arguments else { return false }
    return arguments.contains {
      $0.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.plainName == "included"
    }
  }

  /// The arguments of a `@Key` that name JSON members. Nil if there are none.
  fileprivate var modelKeys: LabeledExprListSyntax.SubSequence? {
    guard baseName == "Key", case .argumentList(let arguments) = arguments,
      let first = arguments.firstIndex(where: { $0.label?.text == "json" })
    else { return nil }
    return arguments[first...]
  }

  /// The expression that creates ArcModel's value of the attribute.
  fileprivate var modelDescription: String {
    let name = baseName == "Key" ? "__JSONKeys" : baseName == "JSONRule" ? "JSONRules" : "ValueFormat"
    if let keys = modelKeys {
      return "\(arcModel)\(name)(\(keys.map(\.trimmedDescription).joined(separator: " ")))"
    }
    return "\(arcModel)\(name)(\(arguments?.trimmedDescription ?? ""))"
  }
}
