import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin that target `Arc` names in its `#externalMacro` declarations.
@main
struct ArcMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [ArchivableMacro.self, MarkMacro.self]
}
