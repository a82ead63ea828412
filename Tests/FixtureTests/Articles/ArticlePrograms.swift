import Arc
import ArcTestSupport
import Foundation

/// The programs of each page, in the order of the blocks that show their output. Each program gets an empty
/// folder.
let articlePrograms: [String: [@Sendable (URL) throws -> String]] = [
  "README.md": [{ _ in try lines(of: tree(of: runReadmeExample().bytes)) }],
  "GettingStarted.md": [
    { try runGettingStarted(in: $0).printed },
    { try lines(of: tree(of: runGettingStarted(in: $0).bytes)) },
    { try runGettingStartedWithAnError(in: $0) },
  ],
  "ChangingYourClasses.md": [
    { _ in try lines(of: tree(of: Array(Data(contentsOf: firstRelease)))) },
    { _ in try runFirstChange() },
    { _ in try lines(of: tree(of: archiveOfAnEarlierPolygon())) },
    { _ in try lines(of: tree(of: archiveOfAMigratedPolygon())) },
  ],
  "GraphsAsValues.md": [{ _ in try runCopy() }],
  "Hooks.md": [{ _ in try runHooks() }],
  "IdentityCyclesAndPhases.md": [{ _ in try runIdentity() }],
  "ModelsAndJSON.md": [{ _ in try runModels() }, { _ in try runIssues() }],
  "CustomizingTheMapping.md": [{ _ in try runMapping() }, { _ in try runUnknownMembers() }],
  "GraphsInJSON.md": [
    { _ in try runMarkedGraph() }, { _ in try runIdentifiedGraph() }, { _ in try runUpdatedGraph() },
  ],
  "UpdatingModels.md": [{ _ in try runUpdating() }, { _ in try runEditing() }],
  "TypeEncodings.md": [{ _ in try runTypes() }, { _ in runWrongType() }, { _ in try runMembers() }],
  "WhichClassModelIsWhich.md": [{ _ in try runClassModels() }],
  "OpeningFilesFromStrangers.md": [{ _ in try runStrangers() }],
  "Paths.md": [{ try runPaths(in: $0) }],
  "ImportingTables.md": [{ try runTables(in: $0) }],
  "PartsOfAFile.md": [{ try runParts(in: $0) }],
  "ReadingWithoutTheClasses.md": [
    { _ in try runClasslessExample() }, { _ in try runRowExample() }, { _ in try runRecoveryExample() },
  ],
]

/// The file that the first release of the program in "Changing your classes" wrote.
private let firstRelease = Repository.fixtures.appendingPathComponent("releases/1.0.arc")

private func archiveOfAMigratedPolygon() throws -> [UInt8] {
  try Archiver().archive(Unarchiver().unarchive(Polygon.self, from: archiveOfAnEarlierPolygon()))
}

/// Returns a text without the line end at its end.
private func lines(of text: String) -> String { text.hasSuffix("\n") ? String(text.dropLast()) : text }
