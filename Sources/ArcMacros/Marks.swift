import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Key`, `@Transient`, `@Coded` and `@Boxed`: attributes that `ArchivableMacro` reads.
///
/// This macro generates nothing. It reports an attribute on a declaration that `ArchivableMacro` does not
/// read.
enum MarkMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    reportIfUnread(node, on: declaration, in: context)
    return []
  }
}

/// Reports an attribute that `ArchivableMacro` does not read, and therefore does not check.
private func reportIfUnread(
  _ mark: AttributeSyntax, on declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
) {
  guard declaration.is(VariableDeclSyntax.self) || declaration.is(EnumCaseDeclSyntax.self) else {
    context.diagnose(Diagnostic(node: mark, message: ArchivableDiagnostic.misplacedMark(mark.baseName)))
    return
  }
  // A copy of the attribute that another macro generates, such as on the storage of `@Observable`, has no
  // enclosing declaration.
  guard let enclosing = context.lexicalContext.first else { return }
  let attributes = enclosing.asProtocol((any DeclGroupSyntax).self)?.attributes
  if attributes?.first(named: "Archivable") == nil {
    context.diagnose(
      Diagnostic(node: mark, message: ArchivableDiagnostic.markOutsideArchivable(mark.baseName)))
  }
}
