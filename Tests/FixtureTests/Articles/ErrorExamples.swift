// swift-format-ignore-file
// The lines are identical to the lines in Errors.md.

import Arc
import ArcDataSets
import ArcArchive
import ArcFormat
import ArcRuntime
import Foundation

// The examples of Sources/Arc/Arc.docc/Errors.md, line for line. `ErrorPageTests` compares them with the
// page.

@Archivable class Vessel { var name = "" }
@Archivable final class Ferry: Vessel { var age = 0 }

@Archivable("Town") struct OldTown { var name = "Ulm" }
@Archivable struct Town { var name: String; var mayor: String }

@Archivable("Sky") enum NewSky { case clear, cloudy, stormy }
@Archivable enum Sky { case clear, cloudy }

@Archivable("Mast") final class OldMast { var height = "12 m" }
@Archivable final class Mast {
  static let archiveVersion = 1
  var height = 0.0
  static func migrate(_ mast: inout MigratedObject, from version: Int) throws { mast["height"] = "tall" }
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

protocol Flyer {}
@Archivable final class Plane: Flyer { var name = "" }
@Archivable("Hangar") final class OldHangar { var guest: (any Archivable)? = Vessel() }
@Archivable final class Hangar { var guest: (any Flyer)? }

@Archivable("Convoy") final class OldConvoy { var leader: Ferry? }
@Archivable final class Convoy { var leader: Ferry; init(_ leader: Ferry) { self.leader = leader } }

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

@Archivable class Being { var name = "" }
@Archivable final class Twin: Being { var other: Being; init(of other: Being) { self.other = other; super.init() } }

@Archivable final class Barge { unowned var tug: Ferry; init(on tug: Ferry) { self.tug = tug } }

final class Raft: Vessel {}

@Archivable("Boat") class Sloop: Vessel {}
@Archivable("Boat") class Cutter: Vessel {}

/// The examples, by the names of their codes.
let errorExamples: [String: @Sendable () throws -> Void] = [
  "notAnArchive": {
    try ArchiveFile(path: "Fixtures/invalid/H2-text.arc").verify()
  },
  "damagedHeader": {
    try ArchiveFile(path: "Fixtures/invalid/H3-checksum.arc").verify()
  },
  "unsupportedVersion": {
    try ArchiveFile(path: "Fixtures/invalid/H4-major-version.arc").verify()
  },
  "unsupportedFeature": {
    try ArchiveFile(path: "Fixtures/invalid/H5-required-feature.arc").verify()
  },
  "truncated": {
    try ArchiveFile(path: "Fixtures/invalid/T1-cut.arc").verify()
  },
  "damagedTrailer": {
    try ArchiveFile(path: "Fixtures/invalid/T2-checksum.arc").verify()
  },
  "damagedSegment": {
    try ArchiveFile(path: "Fixtures/invalid/S2-payload.arc").verify()
  },
  "malformedSegment": {
    try ArchiveFile(path: "Fixtures/invalid/B1-65-bits.arc").verify()
  },
  "indexMismatch": {
    try ArchiveFile(path: "Fixtures/invalid/I1-segment-count.arc").verify()
  },
  "compressionFailed": {
    try ArchiveFile(path: "Fixtures/invalid/Z2-too-little.arc").verify()
  },
  "malformedClassTable": {
    try ArchiveFile(path: "Fixtures/invalid/C2-name-twice.arc").verify()
  },
  "malformedEncoding": {
    try ArchiveFile(path: "Fixtures/invalid/E2-pointer.arc").verify()
  },
  "malformedColumn": {
    try ArchiveFile(path: "Fixtures/invalid/V2-element-missing.arc").verify()
  },
  "invalidString": {
    try ArchiveFile(path: "Fixtures/invalid/V5-no-UTF-8.arc").verify()
  },
  "danglingReference": {
    try ArchiveFile(path: "Fixtures/invalid/G2-row-9-of-3.arc").verify()
  },
  "unknownClass": {
    let bytes = try Archiver().archive([Ferry(), Vessel()])
    _ = try Unarchiver(classes: ClassTable(scope: .declared)).unarchive([Vessel].self, from: bytes)
  },
  "missingRoot": {
    let bytes = try Archiver().archive(roots: ["vessels": [Vessel()], "year": 2026])
    _ = try Unarchiver().unarchive([Vessel].self, from: bytes, root: "people")
  },
  "missingKey": {
    let bytes = try Archiver().archive([OldTown()])
    _ = try Unarchiver().unarchive([Town].self, from: bytes)
  },
  "typeMismatch": {
    let bytes = try Archiver().archive([Vessel()])
    _ = try Unarchiver().unarchive(Vessel.self, from: bytes)
  },
  "valueOutOfRange": {
    let bytes = try Archiver().archive(["ä", "öü"])
    _ = try Unarchiver().unarchive([Character].self, from: bytes)
  },
  "unknownCase": {
    let bytes = try Archiver().archive(["Ulm": [NewSky.clear, .stormy]])
    _ = try Unarchiver().unarchive([String: [Sky]].self, from: bytes)
  },
  "migrationFailed": {
    let bytes = try Archiver().archive([OldMast()])
    _ = try Unarchiver().unarchive([Mast].self, from: bytes)
  },
  "newerVersion": {
    let bytes = try Archiver().archive([NewRope()])
    _ = try Unarchiver().unarchive([Rope].self, from: bytes)
  },
  "wrongClass": {
    let bytes = try Archiver().archive(OldHangar())
    let classes = ClassTable()
    try classes.register(Vessel.self)
    _ = try Unarchiver(classes: classes).unarchive(Hangar.self, from: bytes)
  },
  "nilReference": {
    let bytes = try Archiver().archive(["blue": OldConvoy()])
    _ = try Unarchiver().unarchive([String: Convoy].self, from: bytes)
  },
  "hashCycle": {
    let crate = OldCrate()
    crate.tags = [OldTag(), OldTag()]
    _ = try Unarchiver().unarchive(Crate.self, from: Archiver().archive(crate))
  },
  "constructionOrder": {
    _ = try Archiver().archive([Clock(Hand())])
  },
  "constructionCycle": {
    let one = Twin(of: Being())
    one.other = Twin(of: one)
    _ = try Archiver().archive([one])
  },
  "unownedTarget": {
    let ferry = Ferry()
    _ = try Archiver().archive([Barge(on: ferry)])
  },
  "duplicateKey": {
    _ = try Archiver().archive(roots: ["ferry": Ferry(), "ferry": Ferry()])
  },
  "notArchivable": {
    let harbour = ["dock": [Vessel()], "shed": [Vessel(), Raft()]]
    _ = try Archiver().archive(harbour["shed"])
  },
  "nameConflict": {
    _ = try Archiver().archive([Sloop(), Cutter()] as [Vessel])
  },
  "limitExceeded": {
    var limits = ArchiveLimits.untrusted
    limits.rows = 2
    let bytes = try Archiver().archive([Vessel(), Vessel()])
    _ = try Unarchiver(limits: limits).unarchive([Vessel].self, from: bytes)
  },
  "fileSystem": {
    _ = try Unarchiver().read([Vessel].self, from: URL(fileURLWithPath: "/harbour/vessels.arc"))
  },
  "wrongShard": {
    try ShardedArchive.writeManifest(in: URL(fileURLWithPath: "/harbour"), of: ["../vessels.arc"])
  },
  "invalidUse": {
    let builder = try ArchiveBuilder(roots: [.init("age", type: Int.self)])
    try builder.setRoots(["age": .integer(7)])
    _ = try builder.finish()
    _ = try builder.finish()
  },
]
