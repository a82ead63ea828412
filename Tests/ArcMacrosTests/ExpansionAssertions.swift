import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosTestSupport
import XCTest

@testable import ArcMacros

/// The macros as the compiler calls them on a type that misses `conformances`.
///
/// Of a class with an archivable superclass only the other forms are missing.
func macroSpecs(missing conformances: [TypeSyntax]) -> [String: MacroSpec] {
  [
    "Archivable": MacroSpec(type: ArchivableMacro.self, conformances: conformances),
    "Key": MacroSpec(type: MarkMacro.self),
    "Transient": MacroSpec(type: MarkMacro.self),
  ]
}

/// Asserts the whole source that `source` expands to, and everything that the macros say about it.
///
/// One test for each kind of type does so; the others look at the members that they are about.
func assertExpansion(
  _ source: String, _ expected: String, isSubclass: Bool = false, diagnostics: [DiagnosticSpec] = [],
  file: StaticString = #filePath, line: UInt = #line
) {
  assertMacroExpansion(
    source, expandedSource: withSelectors(expected), diagnostics: diagnostics,
    macroSpecs: macroSpecs(missing: conformances(isSubclass: isSubclass)), indentationWidth: .spaces(2),
    file: file, line: line)
}

/// The text of an expansion with the names of the modules as this compiler takes them: `Arc::` for `Arc.`.
func withSelectors(_ expansion: String) -> String {
  expansion.replacing(#/\b(Arc|ArcModel)\./#) { $0.1 == "Arc" ? arc : arcModel }
}

/// Asserts that `source` expands without a word to itself and just these members and extensions, in short
/// form as in `ExpandedDeclarations` and beside `__checkDeclarations`, and that it has others whole; nil
/// stands for any.
func assertExpansion(
  of source: String, adds heads: [String]? = nil, contains texts: [String] = [], isSubclass: Bool = false,
  file: StaticString = #filePath, line: UInt = #line
) {
  XCTAssertEqual(findings(in: source, isSubclass: isSubclass), [], file: file, line: line)
  let expansion = expanded(source, isSubclass: isSubclass)
  let (written, found) = (ExpandedDeclarations(in: source), ExpandedDeclarations(in: expansion))
  var added = found.heads
  for head in written.heads {
    guard let index = added.firstIndex(of: head) else { return XCTFail("no \(head)", file: file, line: line) }
    added.remove(at: index)
  }
  added.removeAll { $0.contains("__checkDeclarations") }
  if let heads { XCTAssertEqual(added, heads.map(withSelectors), file: file, line: line) }
  for text in texts.map(withSelectors) where !found.texts.contains(text) {
    // The one that begins alike tells more than the whole.
    let start = text.prefix { $0 != "\n" }
    let closest = found.texts.first { $0.prefix { $0 != "\n" } == start } ?? expansion
    XCTAssertEqual(closest, text, file: file, line: line)
  }
}

/// Asserts what the macros say about `source`, and what it is after a fix-it.
func assertFixIt(
  _ fixIt: String, for source: String, gives fixed: String, diagnostics: [DiagnosticSpec],
  file: StaticString = #filePath, line: UInt = #line
) {
  assertMacroExpansion(
    source, expandedSource: expanded(source), diagnostics: diagnostics,
    macroSpecs: macroSpecs(missing: conformances(isSubclass: false)), applyFixIts: [fixIt],
    fixedSource: fixed, indentationWidth: .spaces(2), file: file, line: line)
}

/// The conformances that the compiler says are missing.
private func conformances(isSubclass: Bool) -> [TypeSyntax] {
  ["ArchivableByCoding", "ArchivableByConversion"] + (isSubclass ? [] : ["Archivable", "ArchivableValue"])
}

/// The source that `source` expands to.
func expanded(_ source: String, isSubclass: Bool = false) -> String {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  return file.expand(
    macroSpecs: macroSpecs(missing: conformances(isSubclass: isSubclass)),
    contextGenerator: { node in
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2)
  ).description
}

/// What the macros say about `source`, one string for each diagnostic and each fix-it.
func findings(in source: String, isSubclass: Bool = false) -> [String] {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  _ = file.expand(
    macroSpecs: macroSpecs(missing: conformances(isSubclass: isSubclass)),
    contextGenerator: { node in
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    })
  return context.diagnostics.flatMap { diagnostic -> [String] in
    // The test harness also reports what the compiler itself would.
    guard let message = diagnostic.diagMessage as? ArchivableDiagnostic else { return [] }
    let place = context.location(of: diagnostic.node, at: .afterLeadingTrivia, filePathMode: .filePath)
    let (line, column) = (place?.line.trimmedDescription ?? "?", place?.column.trimmedDescription ?? "?")
    return ["\(line):\(column) \(message.severity) \(message.id): \(message.message)"]
      + diagnostic.fixIts.map { "fix-it: \($0.message.message)" }
  }
}

/// Asserts, for each row of a table, everything that the macros say about a source.
func assertFindings(
  _ table: [(source: String, expected: [String])], isSubclass: Bool = false, file: StaticString = #filePath,
  line: UInt = #line
) {
  for row in table {
    let found = findings(in: row.source, isSubclass: isSubclass)
    XCTAssertEqual(found, row.expected, row.source, file: file, line: line)
  }
}
