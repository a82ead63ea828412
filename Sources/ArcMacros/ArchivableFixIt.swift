import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The fix-its that the macros offer.
enum ArchivableFixIt: FixItMessage, Equatable {
  case makeVariable
  case makeFileprivate
  case addTransient
  case removeMark(String)
  case constrain(String)
  case rename(String)

  var message: String {
    switch self {
    case .makeVariable: "make it 'var'"
    case .makeFileprivate: "make it 'fileprivate'"
    case .addTransient: "add '@Transient' to leave it out of archives"
    case .removeMark(let mark): "remove '@\(mark)'"
    case .constrain(let parameter): "constrain '\(parameter)' to 'ArchivableValue'"
    case .rename(let name): "rename it to '\(name)'"
    }
  }

  var fixItID: MessageID {
    switch self {
    case .makeVariable: MessageID(domain: "Arc", id: "makeVariable")
    case .makeFileprivate: MessageID(domain: "Arc", id: "makeFileprivate")
    case .addTransient: MessageID(domain: "Arc", id: "addTransient")
    case .removeMark: MessageID(domain: "Arc", id: "removeMark")
    case .constrain: MessageID(domain: "Arc", id: "constrain")
    case .rename: MessageID(domain: "Arc", id: "rename")
    }
  }
}

extension FixIt {
  /// Replaces the `let` of a declaration with `var`.
  static func makeVariable(_ variable: VariableDeclSyntax) -> FixIt {
    let specifier = variable.bindingSpecifier
    return FixIt(
      message: ArchivableFixIt.makeVariable,
      changes: [
        .replace(oldNode: Syntax(specifier), newNode: Syntax(specifier.with(\.tokenKind, .keyword(.var))))
      ])
  }

  /// Replaces the modifier `private` with `fileprivate`.
  static func makeFileprivate(_ modifiers: DeclModifierListSyntax) -> FixIt? {
    modifiers.first { $0.name.tokenKind == .keyword(.private) && $0.detail == nil }.map { modifier in
      FixIt(
        message: ArchivableFixIt.makeFileprivate,
        changes: [
          .replace(
            oldNode: Syntax(modifier.name),
            newNode: Syntax(modifier.name.with(\.tokenKind, .keyword(.fileprivate))))
        ])
    }
  }

  /// Adds `@Transient` before a declaration.
  static func addTransient(to variable: VariableDeclSyntax) -> FixIt {
    let mark = AttributeSyntax("@Transient").with(\.leadingTrivia, variable.leadingTrivia)
    let bare = variable.with(\.leadingTrivia, [])
    let attributes = [.attribute(mark.with(\.trailingTrivia, .space))] + Array(bare.attributes)
    return FixIt(
      message: ArchivableFixIt.addTransient,
      changes: [
        .replace(
          oldNode: Syntax(variable),
          newNode: Syntax(bare.with(\.attributes, AttributeListSyntax(attributes))))
      ])
  }

  /// Removes an attribute from a declaration.
  static func remove(_ mark: AttributeSyntax, from variable: VariableDeclSyntax) -> FixIt {
    let remaining = variable.attributes.filter { $0.id != mark.id }
    let changed = variable.with(\.attributes, remaining).with(\.leadingTrivia, variable.leadingTrivia)
    return FixIt(
      message: ArchivableFixIt.removeMark(mark.baseName),
      changes: [.replace(oldNode: Syntax(variable), newNode: Syntax(changed))])
  }

  static func rename(_ name: TokenSyntax, to newName: String) -> FixIt {
    FixIt(
      message: ArchivableFixIt.rename(newName),
      changes: [
        .replace(oldNode: Syntax(name), newNode: Syntax(name.with(\.tokenKind, .identifier(newName))))
      ])
  }

  /// Adds `: ArchivableValue` to a type parameter.
  static func constrain(_ parameter: GenericParameterSyntax) -> FixIt {
    let constrained =
      parameter
      .with(\.name.trailingTrivia, [])
      .with(\.colon, .colonToken(trailingTrivia: .space))
      .with(\.inheritedType, TypeSyntax("ArchivableValue"))
    return FixIt(
      message: ArchivableFixIt.constrain(parameter.name.plainName),
      changes: [.replace(oldNode: Syntax(parameter), newNode: Syntax(constrained))])
  }
}
