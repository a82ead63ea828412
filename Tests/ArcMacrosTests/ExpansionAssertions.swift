import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import SwiftSyntaxMacrosTestSupport
import XCTest

@testable import ArcMacros

/// Returns the macros as the compiler calls them for a type that lacks `conformances`.
///
/// A class with an archivable superclass lacks only the conformances to other protocols.
func macroSpecs(missing conformances: [TypeSyntax]) -> [String: MacroSpec] {
  [
    "Archivable": MacroSpec(type: ArchivableMacro.self, conformances: conformances),
    "Key": MacroSpec(type: MarkMacro.self),
    "Transient": MacroSpec(type: MarkMacro.self),
  ]
}

/// Asserts the complete expansion of `source`, and all diagnostics of the macros.
///
/// One test for each kind of type compares the complete expansion. Other tests compare only some members.
func assertExpansion(
  _ source: String, _ expected: String, isSubclass: Bool = false, diagnostics: [DiagnosticSpec] = [],
  file: StaticString = #filePath, line: UInt = #line
) {
  assertMacroExpansion(
    source, expandedSource: withSelectors(expected), diagnostics: diagnostics,
    macroSpecs: macroSpecs(missing: conformances(isSubclass: isSubclass)), indentationWidth: .spaces(2),
    file: file, line: line)
}

/// Returns an expansion with module selectors, if this compiler supports them: `Arc::` for `Arc.`.
func withSelectors(_ expansion: String) -> String {
  expansion.replacing(#/\b(Arc|ArcModel)\./#) { $0.1 == "Arc" ? arc : arcModel }
}

/// Asserts that `source` expands without a diagnostic, and compares parts of the expansion. Nil allows any
/// contents.
///
/// `heads` are the members and extensions except `__checkDeclarations`, in the form of
/// `ExpandedDeclarations.heads`. `properties` has a line per property or field with its part of the schema up
/// to the accessors. A fragment consists of consecutive lines of the expansion, compared without indentation.
func assertExpansion(
  of source: String, adds heads: [String]? = nil, properties: String? = nil,
  contains fragments: [String] = [],
  isSubclass: Bool = false, file: StaticString = #filePath, line: UInt = #line
) {
  XCTAssertEqual(findings(in: source, isSubclass: isSubclass), [], file: file, line: line)
  let expansion = expanded(source, isSubclass: isSubclass)
  if let heads {
    let written = ExpandedDeclarations(in: source).heads
    var added = ExpandedDeclarations(in: expansion).heads
    for head in written {
      guard let index = added.firstIndex(of: head) else {
        return XCTFail("no \(head)", file: file, line: line)
      }
      added.remove(at: index)
    }
    added.removeAll { $0.contains("__checkDeclarations") }
    XCTAssertEqual(added, heads.map(withSelectors), file: file, line: line)
  }
  if let properties {
    let found = expansion.matches(of: #/(?:PropertySchema|context\.member)\((.*), \{ \(/#).map {
      String($0.1)
    }
    XCTAssertEqual(found.joined(separator: "\n"), properties, file: file, line: line)
  }
  let found = "\n\(withoutIndentation(expansion))\n"
  for fragment in fragments.map(withSelectors) where !found.contains("\n\(withoutIndentation(fragment))\n") {
    XCTFail("no lines\n\(fragment)\nin\n\(expansion)", file: file, line: line)
  }
}

/// Returns the members that the macro adds to a root class, and its extension, in the form of `heads`.
func membersOfRoot(
  _ access: String = "", initializers: [String] = ["required init(from:)"],
  extension name: String? = "Person"
) -> [String] {
  ["\(access)class var archiveSchema", "\(access)class func __typeEncoding(in:)"] + initializers
    + ["\(access)func encode(to:)", "\(access)func link(from:)"]
    + (name.map { ["extension \($0): Arc.Archivable, Arc.ArchivableValue"] } ?? [])
}

private func withoutIndentation(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
    .joined(separator: "\n")
}

/// Asserts the position and kind of the only diagnostic in `source`, and the source after a fix-it.
func assertFixIt(
  _ fixIt: String, of finding: String, in source: String, gives fixed: String,
  file: StaticString = #filePath, line: UInt = #line
) {
  let found = findings(in: source).filter { !$0.hasPrefix("fix-it: ") }
  XCTAssertEqual(found.map { $0.hasPrefix("\(finding): ") }, [true], "\(found)", file: file, line: line)
  let (expansion, context) = expansion(of: source, isSubclass: false)
  let diagnostics = context.diagnostics.map { diagnostic in
    let (place, message) = (context.location(of: diagnostic), diagnostic.diagMessage)
    return DiagnosticSpec(
      id: message.diagnosticID, message: message.message, line: place.line, column: place.column,
      severity: message.severity, fixIts: diagnostic.fixIts.map { FixItSpec(message: $0.message.message) })
  }
  assertMacroExpansion(
    source, expandedSource: expansion, diagnostics: diagnostics,
    macroSpecs: macroSpecs(missing: conformances(isSubclass: false)), applyFixIts: [fixIt],
    fixedSource: fixed, indentationWidth: .spaces(2), file: file, line: line)
}

/// Returns the conformances that the compiler passes to the macro as missing.
private func conformances(isSubclass: Bool) -> [TypeSyntax] {
  ["ArchivableByCoding", "ArchivableByConversion"] + (isSubclass ? [] : ["Archivable", "ArchivableValue"])
}

/// Returns the expansion of `source`, with the diagnostics of the macros.
private func expansion(
  of source: String, isSubclass: Bool
) -> (text: String, context: BasicMacroExpansionContext) {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  let text = file.expand(
    macroSpecs: macroSpecs(missing: conformances(isSubclass: isSubclass)),
    contextGenerator: { node in
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2)
  ).description
  return (text, context)
}

extension BasicMacroExpansionContext {
  /// Returns the line and column of a diagnostic, counted from 1. 0 for a position in generated code.
  fileprivate func location(of diagnostic: Diagnostic) -> (line: Int, column: Int) {
    let location = location(of: diagnostic.node, at: .afterLeadingTrivia, filePathMode: .filePath)
    func number(_ expression: ExprSyntax?) -> Int { expression.flatMap { Int($0.trimmedDescription) } ?? 0 }
    return (number(location?.line), number(location?.column))
  }
}

/// Returns the expansion of `source`.
func expanded(_ source: String, isSubclass: Bool = false) -> String {
  expansion(of: source, isSubclass: isSubclass).text
}

/// Returns the diagnostics and fix-its of the macros for `source`, each as a string.
func findings(in source: String, isSubclass: Bool = false) -> [String] {
  let context = expansion(of: source, isSubclass: isSubclass).context
  return context.diagnostics.flatMap { diagnostic -> [String] in
    // The test harness also reports errors that are not of these macros.
    guard let message = diagnostic.diagMessage as? ArchivableDiagnostic else { return [] }
    let (line, column) = context.location(of: diagnostic)
    return ["\(line):\(column) \(message.severity) \(message.id): \(message.message)"]
      + diagnostic.fixIts.map { "fix-it: \($0.message.message)" }
  }
}

/// Asserts, for each row of a table, all diagnostics of the macros for a source.
///
/// A row consists of the lines of a source, followed by its diagnostics. A diagnostic begins with an arrow
/// and can have several lines. An empty line ends a row.
func assertFindings(
  _ table: String, isSubclass: Bool = false, file: StaticString = #filePath, line: UInt = #line
) {
  let rows = table.split(separator: "\n\n").map { row in
    let parts = "\n\(row)".components(separatedBy: "\n→ ")
    let findings = parts.dropFirst().map { $0.replacing("\n  ", with: " ") }
    return (source: String(parts[0].dropFirst()), expected: findings)
  }
  assertFindings(rows, isSubclass: isSubclass, file: file, line: line)
}

/// Asserts all diagnostics of the macros for each of several sources.
func assertFindings(
  _ rows: [(source: String, expected: [String])], isSubclass: Bool = false, file: StaticString = #filePath,
  line: UInt = #line
) {
  for row in rows {
    let found = findings(in: row.source, isSubclass: isSubclass)
    XCTAssertEqual(found, row.expected, row.source, file: file, line: line)
  }
}
