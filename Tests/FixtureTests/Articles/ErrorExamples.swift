// swift-format-ignore-file
// The lines stand as in Errors.md.

import Arc
import ArcDataSets
import ArcFormat
import ArcRuntime
import Foundation

// The examples of Sources/Arc/Arc.docc/Errors.md, line for line; `ErrorPageTests` compares the two.

func notAnArchiveExample() throws {
  // notAnArchive begins.
  try ArchiveFile(path: "Fixtures/invalid/H2-text.arc").verify()
  // notAnArchive ends.
}

func damagedHeaderExample() throws {
  // damagedHeader begins.
  try ArchiveFile(path: "Fixtures/invalid/H3-checksum.arc").verify()
  // damagedHeader ends.
}

func unsupportedVersionExample() throws {
  // unsupportedVersion begins.
  try ArchiveFile(path: "Fixtures/invalid/H4-major-version.arc").verify()
  // unsupportedVersion ends.
}

func unsupportedFeatureExample() throws {
  // unsupportedFeature begins.
  try ArchiveFile(path: "Fixtures/invalid/H5-required-feature.arc").verify()
  // unsupportedFeature ends.
}

func truncatedExample() throws {
  // truncated begins.
  try ArchiveFile(path: "Fixtures/invalid/T1-cut.arc").verify()
  // truncated ends.
}

func damagedTrailerExample() throws {
  // damagedTrailer begins.
  try ArchiveFile(path: "Fixtures/invalid/T2-checksum.arc").verify()
  // damagedTrailer ends.
}

func damagedSegmentExample() throws {
  // damagedSegment begins.
  try ArchiveFile(path: "Fixtures/invalid/S2-payload.arc").verify()
  // damagedSegment ends.
}

func malformedSegmentExample() throws {
  // malformedSegment begins.
  try ArchiveFile(path: "Fixtures/invalid/B1-65-bits.arc").verify()
  // malformedSegment ends.
}

func indexMismatchExample() throws {
  // indexMismatch begins.
  try ArchiveFile(path: "Fixtures/invalid/I1-segment-count.arc").verify()
  // indexMismatch ends.
}

func compressionFailedExample() throws {
  // compressionFailed begins.
  try ArchiveFile(path: "Fixtures/invalid/Z2-too-little.arc").verify()
  // compressionFailed ends.
}

func malformedClassTableExample() throws {
  // malformedClassTable begins.
  try ArchiveFile(path: "Fixtures/invalid/C2-name-twice.arc").verify()
  // malformedClassTable ends.
}

func malformedEncodingExample() throws {
  // malformedEncoding begins.
  try ArchiveFile(path: "Fixtures/invalid/E2-pointer.arc").verify()
  // malformedEncoding ends.
}

func malformedColumnExample() throws {
  // malformedColumn begins.
  try ArchiveFile(path: "Fixtures/invalid/V2-element-missing.arc").verify()
  // malformedColumn ends.
}

func invalidStringExample() throws {
  // invalidString begins.
  try ArchiveFile(path: "Fixtures/invalid/V5-no-UTF-8.arc").verify()
  // invalidString ends.
}

func danglingReferenceExample() throws {
  // danglingReference begins.
  try ArchiveFile(path: "Fixtures/invalid/G2-row-9-of-3.arc").verify()
  // danglingReference ends.
}

@Archivable class Vessel { var name = "" }
@Archivable final class Ferry: Vessel { var age = 0 }

func unknownClassExample() throws {
  // unknownClass begins.
  let bytes = try Archiver().archive([Ferry(), Vessel()])
  _ = try Unarchiver(classes: ClassTable(scope: .declared)).unarchive([Vessel].self, from: bytes)
  // unknownClass ends.
}

func missingRootExample() throws {
  // missingRoot begins.
  let bytes = try Archiver().archive(roots: ["vessels": [Vessel()], "year": 2026])
  _ = try Unarchiver().unarchive([Vessel].self, from: bytes, root: "people")
  // missingRoot ends.
}

@Archivable("Town") struct OldTown { var name = "Ulm" }
@Archivable struct Town { var name: String; var mayor: String }

func missingKeyExample() throws {
  // missingKey begins.
  let bytes = try Archiver().archive([OldTown()])
  _ = try Unarchiver().unarchive([Town].self, from: bytes)
  // missingKey ends.
}

func typeMismatchExample() throws {
  // typeMismatch begins.
  let bytes = try Archiver().archive([Vessel()])
  _ = try Unarchiver().unarchive(Vessel.self, from: bytes)
  // typeMismatch ends.
}

func valueOutOfRangeExample() throws {
  // valueOutOfRange begins.
  let bytes = try Archiver().archive(["ä", "öü"])
  _ = try Unarchiver().unarchive([Character].self, from: bytes)
  // valueOutOfRange ends.
}

@Archivable("Sky") enum NewSky { case clear, cloudy, stormy }
@Archivable enum Sky { case clear, cloudy }

func unknownCaseExample() throws {
  // unknownCase begins.
  let bytes = try Archiver().archive(["Ulm": [NewSky.clear, .stormy]])
  _ = try Unarchiver().unarchive([String: [Sky]].self, from: bytes)
  // unknownCase ends.
}

@Archivable("Mast") final class OldMast { var height = "12 m" }
@Archivable final class Mast {
  static let archiveVersion = 1
  var height = 0.0
  static func migrate(_ mast: inout MigratedObject, from version: Int) throws { mast["height"] = "tall" }
}

func migrationFailedExample() throws {
  // migrationFailed begins.
  let bytes = try Archiver().archive([OldMast()])
  _ = try Unarchiver().unarchive([Mast].self, from: bytes)
  // migrationFailed ends.
}

@Archivable("Rope") final class NewRope {
  static let archiveVersion = 2
  var width = 30.0
  static func migrate(_ rope: inout MigratedObject, from version: Int) throws {}
}
@Archivable final class Rope {
  static let archiveVersion = 1
  var width = 300.0
}

func newerVersionExample() throws {
  // newerVersion begins.
  let bytes = try Archiver().archive([NewRope()])
  _ = try Unarchiver().unarchive([Rope].self, from: bytes)
  // newerVersion ends.
}

protocol Flyer {}
@Archivable final class Plane: Flyer { var name = "" }
@Archivable("Hangar") final class OldHangar { var guest: (any Archivable)? = Vessel() }
@Archivable final class Hangar { var guest: (any Flyer)? }

func wrongClassExample() throws {
  // wrongClass begins.
  let bytes = try Archiver().archive(OldHangar())
  let classes = ClassTable()
  try classes.register(Vessel.self)
  _ = try Unarchiver(classes: classes).unarchive(Hangar.self, from: bytes)
  // wrongClass ends.
}

@Archivable("Convoy") final class OldConvoy { var leader: Ferry? }
@Archivable final class Convoy { var leader: Ferry; init(_ leader: Ferry) { self.leader = leader } }

func nilReferenceExample() throws {
  // nilReference begins.
  let bytes = try Archiver().archive(["blue": OldConvoy()])
  _ = try Unarchiver().unarchive([String: Convoy].self, from: bytes)
  // nilReference ends.
}

@Archivable("Tag") final class OldTag: Hashable {
  var text = "new"
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  static func == (one: OldTag, other: OldTag) -> Bool { one === other }
}
@Archivable("Crate") final class OldCrate { var tags: Set<OldTag> = [] }
@Archivable final class Tag: Hashable {
  var text = ""
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
  static func == (one: Tag, other: Tag) -> Bool { one.text == other.text }
}
@Archivable final class Crate { var tags: Set<Tag> = [] }

func hashCycleExample() throws {
  // hashCycle begins.
  let crate = OldCrate()
  crate.tags = [OldTag(), OldTag()]
  _ = try Unarchiver().unarchive(Crate.self, from: Archiver().archive(crate))
  // hashCycle ends.
}

@Archivable final class Hand { var length = 1 }
final class Clock: Archivable {
  let hand: Hand; init(_ hand: Hand) { self.hand = hand }
  init(from decoder: borrowing ObjectDecoder) throws { hand = try decoder.decode(Hand.self, forKey: "hand") }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(Hand(), forKey: "hand", during: .construction)
  }
  func link(from decoder: borrowing ObjectDecoder) throws {}
  static var archiveSchema: ClassSchema { ClassSchema(Clock.self, name: "Clock") }
}

func constructionOrderExample() throws {
  // constructionOrder begins.
  _ = try Archiver().archive([Clock(Hand())])
  // constructionOrder ends.
}

@Archivable class Being { var name = "" }
@Archivable final class Twin: Being { var other: Being; init(of other: Being) { self.other = other; super.init() } }

func constructionCycleExample() throws {
  // constructionCycle begins.
  let one = Twin(of: Being())
  one.other = Twin(of: one)
  _ = try Archiver().archive([one])
  // constructionCycle ends.
}

@Archivable final class Barge { unowned var tug: Ferry; init(on tug: Ferry) { self.tug = tug } }

func unownedTargetExample() throws {
  // unownedTarget begins.
  let ferry = Ferry()
  _ = try Archiver().archive([Barge(on: ferry)])
  // unownedTarget ends.
}

func duplicateKeyExample() throws {
  // duplicateKey begins.
  _ = try Archiver().archive(roots: ["ferry": Ferry(), "ferry": Ferry()])
  // duplicateKey ends.
}

final class Raft: Vessel {}

func notArchivableExample() throws {
  // notArchivable begins.
  let harbour = ["dock": [Vessel()], "shed": [Vessel(), Raft()]]
  _ = try Archiver().archive(harbour["shed"])
  // notArchivable ends.
}

@Archivable("Boat") class Sloop: Vessel {}
@Archivable("Boat") class Cutter: Vessel {}

func nameConflictExample() throws {
  // nameConflict begins.
  _ = try Archiver().archive([Sloop(), Cutter()] as [Vessel])
  // nameConflict ends.
}

func limitExceededExample() throws {
  // limitExceeded begins.
  var limits = ArchiveLimits.untrusted
  limits.rows = 2
  let bytes = try Archiver().archive([Vessel(), Vessel()])
  _ = try Unarchiver(limits: limits).unarchive([Vessel].self, from: bytes)
  // limitExceeded ends.
}

func fileSystemExample() throws {
  // fileSystem begins.
  _ = try Unarchiver().read([Vessel].self, from: URL(fileURLWithPath: "/harbour/vessels.arc"))
  // fileSystem ends.
}

func wrongShardExample() throws {
  // wrongShard begins.
  try ShardedArchive.writeManifest(in: URL(fileURLWithPath: "/harbour"), of: ["../vessels.arc"])
  // wrongShard ends.
}

func invalidUseExample() throws {
  // invalidUse begins.
  let builder = try ArchiveBuilder(roots: [.init("age", type: Int.self)])
  try builder.setRoots(["age": .integer(7)])
  _ = try builder.finish()
  _ = try builder.finish()
  // invalidUse ends.
}

/// The examples by the names of their codes.
let errorExamples: [String: @Sendable () throws -> Void] = [
  "notAnArchive": notAnArchiveExample,
  "damagedHeader": damagedHeaderExample,
  "unsupportedVersion": unsupportedVersionExample,
  "unsupportedFeature": unsupportedFeatureExample,
  "truncated": truncatedExample,
  "damagedTrailer": damagedTrailerExample,
  "damagedSegment": damagedSegmentExample,
  "malformedSegment": malformedSegmentExample,
  "indexMismatch": indexMismatchExample,
  "compressionFailed": compressionFailedExample,
  "malformedClassTable": malformedClassTableExample,
  "malformedEncoding": malformedEncodingExample,
  "malformedColumn": malformedColumnExample,
  "invalidString": invalidStringExample,
  "danglingReference": danglingReferenceExample,
  "unknownClass": unknownClassExample,
  "missingRoot": missingRootExample,
  "missingKey": missingKeyExample,
  "typeMismatch": typeMismatchExample,
  "valueOutOfRange": valueOutOfRangeExample,
  "unknownCase": unknownCaseExample,
  "migrationFailed": migrationFailedExample,
  "newerVersion": newerVersionExample,
  "wrongClass": wrongClassExample,
  "nilReference": nilReferenceExample,
  "hashCycle": hashCycleExample,
  "constructionOrder": constructionOrderExample,
  "constructionCycle": constructionCycleExample,
  "unownedTarget": unownedTargetExample,
  "duplicateKey": duplicateKeyExample,
  "notArchivable": notArchivableExample,
  "nameConflict": nameConflictExample,
  "limitExceeded": limitExceededExample,
  "fileSystem": fileSystemExample,
  "wrongShard": wrongShardExample,
  "invalidUse": invalidUseExample,
]
