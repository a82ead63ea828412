// swift-format-ignore-file
// The lines are identical to the lines in the doc comments.

import Arc
import ArcArchive
import ArcFormat
import ArcJSON
import ArcModel
import ArcTesting
import Foundation
import XCTest

/// The examples in the doc comments of the six types that a program begins with. `CommentExampleTests`
/// compares the code, runs it, and compares what it prints.
@Archivable final class Museum { var name = "Louvre"; var artworks: [Artwork] = [] }
@Archivable final class Artwork { var title = ""; var year = 0; var studies: [Study] = [] }
@Archivable final class Study { var caption = "" }
@Archivable @MainActor final class Placard { var title = "" }

@Archivable final class User {
  var id = 0
  var name = ""
  var lastLogin: Int?
  init(id: Int) { self.id = id }
}

/// The objects and the file that the examples use.
final class CommentExamples {
  let museum = Museum()
  let recent: [Artwork]
  let user = User(id: 7)
  let folder: URL
  let url: URL
  var path: String { url.path }

  init(in folder: URL) {
    self.folder = folder
    url = folder.appendingPathComponent("museum.arc")
    museum.artworks = ["Mona Lisa", "Liberty", "The Raft", "The Astronomer"].map {
      let artwork = Artwork()
      artwork.title = $0
      return artwork
    }
    museum.artworks[0].studies = [Study(), Study()]
    recent = [museum.artworks[0]]
    (user.name, user.lastLogin) = ("Ada", 1_700_000_000)
  }

  /// Writes the file that an example reads.
  private func prepare() throws { try Archiver(metadata: ["author": "Mia"]).write(museum, to: url) }
  private func prepareRoots() throws { try Archiver().write(roots: ["museum": museum, "recent": recent], to: url) }

  private func run(_ examples: [() async throws -> Void], preparing prepare: (() throws -> Void)? = nil) async throws {
    for example in examples {
      try prepare?() ?? self.prepare()
      try await example()
    }
  }

  /// The printed lines of the examples, one line for each call of `print`.
  static var printed: [String] { log.lines }
}

/// The collected lines.
private final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var collected: [String] = []
  var lines: [String] { lock.withLock { collected } }
  func add(_ line: String) { lock.withLock { collected.append(line) } }
}

private let log = Log()

/// Replaces `print` of the standard library in this file.
private func print(_ items: Any...) { log.add(items.map { "\($0)" }.joined(separator: " ")) }

// MARK: Archiver

extension CommentExamples {
  func archiverArchive() async throws {
    let bytes = try await Archiver(compression: .zlib).archive(museum) { progress in
      print(progress.fractionCompleted)
    }
    _ = bytes
  }

  func archiverArchive2() async throws {
    let bytes = try await Archiver().archive(roots: ["museum": museum, "recent": recent])
    let roots = try ArchiveFile(bytes: bytes).roots()
    print(roots.properties.map(\.key))
  }

  func archiverWrite() async throws {
    try await Archiver(compression: .zlib).write(museum, to: url) { progress in
      print(progress.fractionCompleted)
    }
  }

  func archiverWrite2() async throws {
    let roots: KeyValuePairs<String, any ArchivableValue> = ["museum": museum, "recent": recent]
    try await Archiver().write(roots: roots, to: url)
    let artworks = try await Unarchiver().read([Artwork].self, from: url, root: "recent")
    _ = artworks
  }

  func archiverType() throws {
    let archiver = Archiver(compression: .zlib)
    try archiver.write(museum, to: url)
    let bytes = try archiver.archive(museum.artworks)
    _ = bytes
  }

  func archiverCompression() throws {
    var archiver = Archiver()
    archiver.compression = .zlib
    try archiver.write(museum, to: url)
  }

  func archiverIsCanonical() throws {
    let archiver = Archiver(isCanonical: true)
    let (first, second) = (try archiver.archive(museum), try archiver.archive(ObjectGraph.copy(museum)))
    print(first == second)
  }

  func archiverMetadata() throws {
    let archiver = Archiver(metadata: ["author": "Mia"])
    try archiver.write(museum, to: url)
    let metadata = try ArchiveFile(contentsOf: url).metadata()
    print(metadata["author"] ?? "")
  }

  func archiverLayoutType() throws {
    let archiver = Archiver(layout: .columnar(sortedBy: "Artwork.year"))
    try archiver.write(museum, to: url)
    let modern = try ArchiveFile(contentsOf: url).rows(ofClass: "Artwork").where("year", atLeast: 2000)
    _ = modern
  }

  func archiverLayout() throws {
    var archiver = Archiver(compression: .zlib)
    archiver.layout = .compact(directory: true)
    try archiver.write(museum, to: url)
  }

  func archiverOnWarning() throws {
    var archiver = Archiver()
    archiver.onWarning = { warning in print("archiving: \(warning)") }
    try archiver.write(museum, to: url)
  }

  func archiverUserInfo() throws {
    var archiver = Archiver()
    if let key = CodingUserInfoKey(rawValue: "store") { archiver.userInfo[key] = "main" }
    try archiver.write(museum, to: url)
  }

  func archiverPreservedContent() throws {
    let unknown = PreservedContent()
    let museum = try Unarchiver(unknownContent: .preserve(in: unknown)).read(Museum.self, from: url)
    var archiver = Archiver()
    archiver.preservedContent = unknown
    try archiver.write(museum, to: url)
  }

  func archiverInit() throws {
    let archiver = Archiver(compression: .zlib, metadata: ["app": "Museum 2.1"])
    try archiver.write(museum, to: url)
    print(try ArchiveFile(contentsOf: url).segments.filter(\.isCompressed).count)
  }

  func archiverArchive3() throws {
    let bytes = try Archiver().archive(museum)
    let copy = try Unarchiver().unarchive(Museum.self, from: bytes)
    print(copy.artworks.count == museum.artworks.count)
  }

  func archiverArchive4() throws {
    let bytes = try Archiver().archive(roots: ["museum": museum, "recent": recent])
    let artworks = try Unarchiver().unarchive([Artwork].self, from: bytes, root: "recent")
    print(artworks.count)
  }

  func archiverWrite6() throws {
    try Archiver(compression: .zlib).write(museum, to: url)
    let copy = try Unarchiver().read(Museum.self, from: url)
    print(copy.artworks.count == museum.artworks.count)
  }

  func archiverWrite7() throws {
    try Archiver().write(roots: ["museum": museum, "recent": recent], to: url)
    let artworks = try Unarchiver().read([Artwork].self, from: url, root: "recent")
    print(artworks.count)
  }

  func archiveFileWrite() throws {
    let bytes = try Archiver().archive(museum)
    try ArchiveFile(bytes: bytes).write(to: url)
    print(bytes.count)
  }

  func archiverSnapshot() async throws {
    let snapshot = try Archiver(compression: .zlib).snapshot(of: museum)
    museum.name = "Changed later"
    try await snapshot.write(to: url)
  }

  func archiverSnapshot2() throws {
    let snapshot = try Archiver().snapshot(roots: ["museum": museum, "recent": recent])
    let bytes = try snapshot.archive()
    let artworks = try Unarchiver().unarchive([Artwork].self, from: bytes, root: "recent")
    _ = artworks
  }

  func runArchiver() async throws {
    try await run([
      archiverArchive, archiverArchive2, archiverWrite, archiverWrite2, archiverType, archiverCompression,
      archiverIsCanonical, archiverMetadata, archiverLayoutType, archiverLayout, archiverOnWarning,
      archiverUserInfo, archiverPreservedContent, archiverInit, archiverArchive3, archiverArchive4,
      archiverWrite6, archiverWrite7, archiveFileWrite, archiverSnapshot, archiverSnapshot2
    ])
  }
}

// MARK: Unarchiver

extension CommentExamples {
  func unarchiverCyclicKeys() throws {
    let classes = ClassTable()
    try classes.register(Artwork.self)
    let found = try Unarchiver(classes: classes).cyclicKeys(in: Museum.self)
    XCTAssertEqual(found, [])
  }

  func unarchiverUnarchive() async throws {
    let bytes = try await Archiver().archive(museum)
    let copy = try await Unarchiver().unarchive(Museum.self, from: bytes) { progress in
      print(progress.fractionCompleted)
    }
    _ = copy
  }

  @MainActor static func unarchiverUnarchive2(_ url: URL) async throws {
    let bytes = try await Archiver().archive(Placard())
    let placard = try await Unarchiver().unarchive(Placard.self, from: bytes)
    print(placard.title)
  }

  func unarchiverUnarchive3() async throws {
    let bytes = try await Archiver().archive(roots: ["museum": museum, "recent": recent])
    let (copy, artworks) = try await Unarchiver().unarchive(
      roots: .init("museum", Museum.self), .init("recent", [Artwork].self), from: bytes)
    print(copy.name, artworks.count)
  }

  @MainActor static func unarchiverUnarchive4(_ url: URL) async throws {
    let bytes = try await Archiver().archive(roots: ["placard": Placard(), "count": 1])
    let (placard, count) = try await Unarchiver().unarchive(
      roots: .init("placard", Placard.self), .init("count", Int.self), from: bytes)
    print(placard.title, count)
  }

  func unarchiverRead() async throws {
    let museum = try await Unarchiver().read(Museum.self, from: url) { progress in
      print(progress.fractionCompleted)
    }
    _ = museum
  }

  @MainActor static func unarchiverRead2(_ url: URL) async throws {
    try await Archiver().write(Placard(), to: url)
    let placard = try await Unarchiver().read(Placard.self, from: url)
    print(placard.title)
  }

  func unarchiverRead3() async throws {
    let (museum, artworks) = try await Unarchiver().read(
      roots: .init("museum", Museum.self), .init("recent", [Artwork].self), from: url)
    print(museum.name, artworks.count)
  }

  @MainActor static func unarchiverRead4(_ url: URL) async throws {
    try await Archiver().write(roots: ["placard": Placard(), "count": 1], to: url)
    let (placard, count) = try await Unarchiver().read(
      roots: .init("placard", Placard.self), .init("count", Int.self), from: url)
    print(placard.title, count)
  }

  func unarchiverDifferences() throws {
    let file = try ArchiveFile(contentsOf: url)
    let differences = try Unarchiver().differences(in: file, readAs: Museum.self)
    for difference in differences where difference.effect >= .lossy { print(difference) }
  }

  func unarchiverDifferences2() throws {
    let differences = try Unarchiver().differences(inContentsOf: url, readAs: Museum.self)
    let worst = differences.map(\.effect).max() ?? .compatible
    if worst >= .lossy { print("saving would lose data") }
  }

  func unarchiverCheck() throws {
    func testFilesOfAllReleasesCanBeRead() throws {
      try Unarchiver().check(archivesIn: folder, for: Museum.self, reading: true)
    }
  }

  func unarchiverType() throws {
    let unarchiver = Unarchiver(limits: .untrusted)
    let museum = try unarchiver.read(Museum.self, from: url)
    print(museum.artworks.count)
  }

  func unarchiverClasses() throws {
    var unarchiver = Unarchiver()
    unarchiver.classes = ClassTable()
    try unarchiver.classes.register(Artwork.self)
    let museum = try unarchiver.read(Museum.self, from: url)
    _ = museum
  }

  func unarchiverLimits() throws {
    var unarchiver = Unarchiver(limits: .untrusted)
    unarchiver.limits.rows = 5_000_000
    let museum = try unarchiver.read(Museum.self, from: url)
    _ = museum
  }

  func unarchiverUnknownContent() throws {
    var unarchiver = Unarchiver()
    unarchiver.unknownContent = .leaveOut
    let museum = try unarchiver.read(Museum.self, from: url)
    _ = museum
  }

  func unarchiverNewerVersions() throws {
    var unarchiver = Unarchiver()
    unarchiver.newerVersions = .allow
    let museum = try unarchiver.read(Museum.self, from: url)
    _ = museum
  }

  func unarchiverUserInfo() throws {
    var unarchiver = Unarchiver()
    if let key = CodingUserInfoKey(rawValue: "store") { unarchiver.userInfo[key] = "main" }
    let museum = try unarchiver.read(Museum.self, from: url)
    _ = museum
  }

  func unarchiverInit() throws {
    let unknown = PreservedContent()
    let unarchiver = Unarchiver(limits: .untrusted, unknownContent: .preserve(in: unknown))
    let museum = try unarchiver.read(Museum.self, from: url)
    _ = museum
  }

  func unarchiverRootRequest() throws {
    let root = Unarchiver.RootRequest("recent", [Artwork].self)
    let bytes = try Archiver().archive(roots: ["museum": museum, "recent": recent])
    let artworks = try Unarchiver().unarchive(roots: root, from: bytes)
    _ = artworks
  }

  func unarchiverUnarchive5() throws {
    let bytes = try Archiver().archive(museum)
    let copy = try Unarchiver().unarchive(Museum.self, from: bytes)
    print(copy.artworks.count == museum.artworks.count)
  }

  func unarchiverUnarchive6() throws {
    let bytes = try Archiver().archive(roots: ["museum": museum, "recent": recent])
    let (copy, artworks) = try Unarchiver().unarchive(
      roots: .init("museum", Museum.self), .init("recent", [Artwork].self), from: bytes)
    print(copy.artworks[0] === artworks[0])
  }

  func unarchiverRead5() throws {
    let museum = try Unarchiver().read(Museum.self, from: url)
    museum.name = "Prado"
    try Archiver().write(museum, to: url)
  }

  func unarchiverRead6() throws {
    let (museum, artworks) = try Unarchiver().read(
      roots: .init("museum", Museum.self), .init("recent", [Artwork].self), from: url)
    print(museum.artworks[0] === artworks[0])
  }

  func runUnarchiver() async throws {
    try await run([
      unarchiverCyclicKeys, unarchiverUnarchive, { try await Self.unarchiverUnarchive2(self.url) },
      unarchiverUnarchive3, { try await Self.unarchiverUnarchive4(self.url) }, unarchiverRead,
      { try await Self.unarchiverRead2(self.url) }, { try await Self.unarchiverRead4(self.url) },
      unarchiverDifferences, unarchiverDifferences2, unarchiverCheck, unarchiverType, unarchiverClasses,
      unarchiverLimits, unarchiverUnknownContent, unarchiverNewerVersions, unarchiverUserInfo, unarchiverInit,
      unarchiverRootRequest, unarchiverUnarchive5, unarchiverUnarchive6, unarchiverRead5
    ])
    try await run([unarchiverRead3, unarchiverRead6], preparing: prepareRoots)
  }
}

// MARK: LazyArchive

extension CommentExamples {
  func lazyArchiveType() throws {
    let session = try LazyArchive(mapping: url)
    let artwork = try session.object(Artwork.self, at: "root.artworks[3]")
    let study = try session.object(Study.self, id: ObjectID(rawValue: 6))
    _ = (artwork, study)
  }

  func lazyArchiveFile() throws {
    let session = try LazyArchive(mapping: url)
    print(session.file.rowCount, try session.file.metadata())
    let artworks = try session.file.rows(ofClass: "Artwork")
    _ = artworks
  }

  func lazyArchiveInit() throws {
    let bytes = try Archiver().archive(museum)
    let session = try LazyArchive(bytes: bytes)
    let first = try session.object(Artwork.self, at: "root.artworks[0]")
    _ = first
  }

  func lazyArchiveInit2() throws {
    let session = try LazyArchive(contentsOf: url)
    let first = try session.object(Artwork.self, at: "root.artworks[0]")
    print(first.title)
  }

  func lazyArchiveInit3() throws {
    let unarchiver = Unarchiver(limits: .untrusted)
    let session = try LazyArchive(mapping: url, unarchiver: unarchiver)
    let first = try session.object(Artwork.self, at: "root.artworks[0]")
    _ = first
  }

  func lazyArchiveObject() throws {
    let session = try LazyArchive(mapping: url)
    let artwork = try session.object(Artwork.self, id: ObjectID(rawValue: 2))
    let bare = try session.object(
      Artwork.self, id: ObjectID(rawValue: 2), leavingOut: [.objects(of: Study.self)])
    print(artwork.studies.count, bare.studies.count)
  }

  func lazyArchiveObject2() throws {
    let session = try LazyArchive(mapping: url)
    let artwork = try session.object(Artwork.self, at: "root.artworks[0]")
    let museum = try session.object(Museum.self)
    print(museum.artworks[0] === artwork)
  }

  func lazyArchiveValue() throws {
    let session = try LazyArchive(mapping: url)
    let title = try session.value(String.self, at: "root.artworks[0].title")
    let studies = try session.value([Study].self, at: "root.artworks[0].studies")
    print(title, studies.count)
  }

  func runLazyArchive() async throws {
    try await run([
      lazyArchiveType, lazyArchiveFile, lazyArchiveInit, lazyArchiveInit2, lazyArchiveInit3,
      lazyArchiveObject, lazyArchiveObject2, lazyArchiveValue
    ])
  }
}

// MARK: ArchiveFile

extension CommentExamples {
  func archiveFileInit() throws {
    let file = try ArchiveFile(contentsOf: url)
    try file.verify()
    print(file.rowCount, file.writer)
  }

  func archiveFileInit2() throws {
    let file = try ArchiveFile(mapping: url)
    let museum = try file.object(ObjectID(rawValue: 1))
    print(museum["name"] ?? .null)
  }

  func archiveFileClassInfos() throws {
    let file = try ArchiveFile(contentsOf: url)
    for info in file.classInfos {
      print(info.name, info.allProperties.count)
    }
  }

  func archiveFileMetadata() throws {
    let file = try ArchiveFile(contentsOf: url)
    let metadata = try file.metadata()
    print(metadata["author"] ?? "unknown")
  }

  func archiveFileRoots() throws {
    let file = try ArchiveFile(contentsOf: url)
    for root in try file.roots().properties {
      print(root.key, root.value)
    }
  }

  func archiveFileObject() throws {
    let file = try ArchiveFile(contentsOf: url)
    let museum = try file.object(ObjectID(rawValue: 1))
    for artwork in museum["artworks"]?.elements ?? [] {
      if let id = artwork.objectID { print(try file.object(id)["title"] ?? .null) }
    }
  }

  func archiveFileRowCount() throws {
    let file = try ArchiveFile(contentsOf: url)
    for info in file.classInfos {
      print(info.name, try file.rowCount(ofClass: info.name))
    }
  }

  func archiveFileInit3() throws {
    let file = try ArchiveFile(path: path)
    try file.verify()
    print(file.rowCount, file.writer)
  }

  func archiveFileInit4() throws {
    let file = try ArchiveFile(mapping: path)
    let museum = try file.object(ObjectID(rawValue: 1))
    print(museum["name"] ?? .null)
  }

  func archiveFileSchemaSnapshot() throws {
    let file = try ArchiveFile(contentsOf: url)
    for line in file.schemaSnapshot.changedLines(since: try SchemaSnapshot(of: Museum.self)) {
      print(line)
    }
  }

  func archiveFileDifferences() throws {
    let file = try ArchiveFile(contentsOf: url)
    let schema = try SchemaSnapshot(of: Museum.self)
    for difference in try file.differences(readBy: schema) {
      print(difference)
    }
  }

  func archiveFileVerify() throws {
    let file = try ArchiveFile(contentsOf: url)
    do {
      try file.verify()
    } catch {
      print("damaged at byte \(error.byteOffset ?? 0): \(error)")
    }
  }

  func archiveFileDigest() throws {
    let file = try ArchiveFile(contentsOf: url)
    let other = try ArchiveFile(path: path)
    print(try file.digest() == other.digest())
  }

  func archiveFileType() throws {
    let file = try ArchiveFile(contentsOf: url)
    for info in file.classInfos {
      print(info.name, try file.rowCount(ofClass: info.name))
    }
  }

  func archiveFileDefaultRoot() throws {
    let bytes = try Archiver().archive(museum)
    let roots = try ArchiveFile(bytes: bytes).roots()
    print(roots[ArchiveFile.defaultRoot] ?? .null)
  }

  func archiveFileVersion() throws {
    let file = try ArchiveFile(contentsOf: url)
    let (major, minor) = file.version
    print("format \(major).\(minor)")
  }

  func archiveFileWriter() throws {
    let file = try ArchiveFile(contentsOf: url)
    print(file.writer)
    print(file.byteCount)
  }

  func archiveFileSegments() throws {
    let file = try ArchiveFile(contentsOf: url)
    for segment in file.segments where segment.kind == .rows {
      print(segment.byteOffset, segment.storedByteCount, segment.count)
    }
  }

  func archiveFileRowCount2() throws {
    let file = try ArchiveFile(contentsOf: url)
    let objectCount = file.rowCount - 1
    print("\(objectCount) objects")
  }

  func archiveFileByteCount() throws {
    let file = try ArchiveFile(contentsOf: url)
    let rawCount = file.segments.reduce(0) { $0 + $1.rawByteCount }
    print("\(file.byteCount) bytes, \(rawCount) before compression")
  }

  func archiveFileTrustsChunkDirectory() throws {
    let file = try ArchiveFile(mapping: url)
    file.trustsChunkDirectory = true
    let artworks = try file.rows(ofClass: "Artwork").where("year", atLeast: 2000)
    print(try artworks.column("title", as: String.self))
  }

  func archiveFileInit5() throws {
    let bytes = try Archiver().archive(museum)
    let file = try ArchiveFile(bytes: bytes)
    print(file.rowCount)
  }

  func archiveFileRows() throws {
    let file = try ArchiveFile(contentsOf: url)
    let artworks = try file.rows(ofClass: "Artwork")
    let titles = try artworks.column("title", as: String.self)
    let years = try artworks.column("year", as: Int.self)
    let all = try file.rows(ofClass: "Artwork", includingSubclasses: true)
    _ = (titles, years, all)
  }

  func archiveFileSourceType() async throws {
    let source = try ArchiveFile(mapping: url).source
    async let titles = try ArchiveFile(source).rows(ofClass: "Artwork").column("title", as: String.self)
    async let years = try ArchiveFile(source).rows(ofClass: "Artwork").column("year", as: Int.self)
    for (title, year) in zip(try await titles, try await years) { print(title, year) }
  }

  func archiveFileSource() async throws {
    let file = try ArchiveFile(mapping: url)
    file.trustsChunkDirectory = true
    let source = file.source
    let count = try await Task { try ArchiveFile(source).rows(ofClass: "Artwork").ids().count }.value
    print(count)
  }

  func archiveFileInitSource() throws {
    let source = try ArchiveFile(contentsOf: url).source
    let file = try ArchiveFile(source)
    print(file.rowCount)
  }

  func runArchiveFile() async throws {
    try await run([
      archiveFileInit, archiveFileInit2, archiveFileClassInfos, archiveFileMetadata, archiveFileRoots,
      archiveFileObject, archiveFileRowCount, archiveFileInit3, archiveFileInit4, archiveFileSchemaSnapshot,
      archiveFileDifferences, archiveFileVerify, archiveFileType, archiveFileDefaultRoot, archiveFileVersion,
      archiveFileWriter, archiveFileSegments, archiveFileRowCount2, archiveFileByteCount,
      archiveFileTrustsChunkDirectory, archiveFileInit5, archiveFileRows
    ])
    try await archiveFileSourceType()
    try await archiveFileSource()
    try archiveFileInitSource()
  }
}

// MARK: ModelReader

extension CommentExamples {
  func modelReaderType() throws {
    let reader = ModelReader(naming: .snakeCase)
    let user = try reader.read(User.self, from: #"{"id": 7, "name": "Ada"}"#)
    let feed = try reader.read([User].self, from: #"{"data": {"feed": []}}"#, at: "data.feed")
    print(user.name, feed.count)
  }

  func modelReaderMode() throws {
    let strict = ModelReader(.strict)
    let lenient = ModelReader(.lenient)
    let user = try lenient.read(User.self, from: #"{"id": "7", "name": "Ada"}"#)
    print(user.id, strict.mode == .lenient)
  }

  func modelReaderUnknownKeys() throws {
    let reader = ModelReader(unknownKeys: .reported)
    do { _ = try reader.read(User.self, from: #"{"id": 7, "nam": "Ada"}"#) }
    catch { print(error) }
  }

  func modelReaderMode2() throws {
    var reader = ModelReader()
    reader.mode = .lenient
    let users = try reader.read([User].self, from: #"[{"id": 7, "name": "Ada"}, 5]"#)
    print(users.count)
  }

  func modelReaderNaming() throws {
    var reader = ModelReader()
    reader.naming = .snakeCase
    let user = try reader.read(User.self, from: #"{"id": 7, "last_login": 1700000000}"#)
    print(user.lastLogin ?? 0)
  }

  func modelReaderUnknownKeys2() throws {
    var reader = ModelReader()
    reader.unknownKeys = .reported
    do { _ = try reader.read(User.self, from: #"{"id": 7, "nam": "Ada"}"#) }
    catch { print(error) }
  }

  func modelReaderReferences() throws {
    var reader = ModelReader()
    reader.references = .marked
    let text = #"[{"$id": "1", "id": 7, "name": "Ada"}, {"$ref": "1"}]"#
    let users = try reader.read([User].self, from: text)
    print(users[0] === users[1])
  }

  func modelReaderLimits() throws {
    var reader = ModelReader()
    reader.limits.bytes = 1 << 20
    let user = try reader.read(User.self, from: #"{"id": 7, "name": "Ada"}"#)
    _ = user
  }

  func modelReaderUserInfo() throws {
    var reader = ModelReader()
    if let key = CodingUserInfoKey(rawValue: "store") { reader.userInfo[key] = "main" }
    let user = try reader.read(User.self, from: #"{"id": 7, "name": "Ada"}"#)
    _ = user
  }

  func modelReaderInit() throws {
    let reader = ModelReader(.lenient, naming: .snakeCase, unknownKeys: .reported)
    let result = try reader.readWithIssues(User.self, from: #"{"id": 7, "nam": "Ada"}"#)
    print(result.value.id, result.issues.count)
  }

  func modelReaderSetMapping() throws {
    var reader = ModelReader()
    reader.setMapping(JSONMapping(paths: ["id": ["user.id"]]), for: User.self)
    let user = try reader.read(User.self, from: #"{"user": {"id": 7}, "name": "Ada"}"#)
    print(user.id)
  }

  func modelReaderRead() throws {
    let text = #"{"data": [{"id": 7, "name": "Ada"}, {"id": 8, "name": "Bob"}]}"#
    let users = try ModelReader().read([User].self, from: text, at: "data")
    let bob = try ModelReader().read(User.self, from: text, at: "data[1]")
    print(users.count, bob.name)
  }

  func modelReaderReadWithIssues() throws {
    let text = #"[{"id": 7, "name": "Ada"}, {"id": "?", "name": "Bob"}]"#
    let (users, issues) = try ModelReader(.lenient).readWithIssues([User].self, from: text)
    print(users.count, issues[0])
  }

  func modelReaderUpdate() throws {
    let user = try ModelReader().read(User.self, from: #"{"id": 7, "name": "Ada"}"#)
    try ModelReader().update(user, from: #"{"name": "Ada L."}"#)
    print(user.id, user.name)
  }

  func runModelReader() async throws {
    try await run([
      modelReaderType, modelReaderMode, modelReaderUnknownKeys, modelReaderMode2, modelReaderNaming,
      modelReaderUnknownKeys2, modelReaderReferences, modelReaderLimits, modelReaderUserInfo, modelReaderInit,
      modelReaderSetMapping, modelReaderRead, modelReaderReadWithIssues, modelReaderUpdate
    ])
  }
}

// MARK: ModelWriter

extension CommentExamples {
  func modelWriterType() throws {
    let writer = ModelWriter(naming: .snakeCase, isPretty: true)
    let text = try writer.text(of: user)
    let bytes = try writer.bytes(of: [user])
    print(text, bytes.count)
  }

  func modelWriterNullWriting() throws {
    let writer = ModelWriter(nulls: .written)
    let text = try writer.text(of: User(id: 8))
    print(text)
  }

  func modelWriterNonFiniteWriting() throws {
    let writer = ModelWriter(nonFinite: .text)
    let text = try writer.text(of: [1, .infinity])
    print(text)
  }

  func modelWriterNaming() throws {
    var writer = ModelWriter()
    writer.naming = .snakeCase
    print(try writer.text(of: user))
  }

  func modelWriterIsPretty() throws {
    var writer = ModelWriter()
    writer.isPretty = true
    print(try writer.text(of: user))
  }

  func modelWriterSortsKeys() throws {
    var writer = ModelWriter()
    writer.sortsKeys = true
    print(try writer.text(of: user))
  }

  func modelWriterNulls() throws {
    var writer = ModelWriter()
    writer.nulls = .written
    print(try writer.text(of: User(id: 8)))
  }

  func modelWriterOnly() throws {
    var writer = ModelWriter()
    writer.only = ["id", "name"]
    print(try writer.text(of: [user]))
  }

  func modelWriterReferences() throws {
    var writer = ModelWriter(only: ["id"])
    writer.references = .marked
    print(try writer.text(of: [user, user]))
  }

  func modelWriterNonFinite() throws {
    var writer = ModelWriter()
    writer.nonFinite = .null
    print(try writer.text(of: [1, .infinity]))
  }

  func modelWriterEscaping() throws {
    var writer = ModelWriter()
    writer.escaping = .ascii
    print(try writer.text(of: ["é"]))
  }

  func modelWriterMaximumDepth() throws {
    var writer = ModelWriter()
    writer.maximumDepth = 1
    do { _ = try writer.text(of: [[1]]) }
    catch { print(error) }
  }

  func modelWriterUserInfo() throws {
    var writer = ModelWriter()
    if let key = CodingUserInfoKey(rawValue: "store") { writer.userInfo[key] = "main" }
    print(try writer.text(of: user))
  }

  func modelWriterInit() throws {
    let writer = ModelWriter(isPretty: true, sortsKeys: true, nulls: .omitted)
    let first = try writer.text(of: user)
    let second = try writer.text(of: user)
    print(first == second)
  }

  func modelWriterSetMapping() throws {
    var writer = ModelWriter()
    writer.setMapping(JSONMapping(except: ["lastLogin"]), for: User.self)
    print(try writer.text(of: user))
  }

  func modelWriterText() throws {
    let text = try ModelWriter(only: ["id"]).text(of: [user])
    let copies = try ModelReader().read([User].self, from: text)
    print(text, copies[0].id)
  }

  func modelWriterBytes() throws {
    let bytes = try ModelWriter(only: ["id"]).bytes(of: [user])
    let copies = try ModelReader().read([User].self, from: bytes)
    print(bytes.count, copies[0].id)
  }

  func modelWriterValue() throws {
    var value = try ModelWriter().value(of: user)
    value["name"] = "Ada L."
    print(value)
  }

  func runModelWriter() async throws {
    try await run([
      modelWriterType, modelWriterNullWriting, modelWriterNonFiniteWriting, modelWriterNaming,
      modelWriterIsPretty, modelWriterSortsKeys, modelWriterNulls, modelWriterOnly, modelWriterReferences,
      modelWriterNonFinite, modelWriterEscaping, modelWriterMaximumDepth, modelWriterUserInfo,
      modelWriterInit, modelWriterSetMapping, modelWriterText, modelWriterBytes, modelWriterValue
    ])
  }
}

extension CommentExamples {
  func run() async throws {
    try await runArchiver()
    try await runUnarchiver()
    try await runLazyArchive()
    try await runArchiveFile()
    try await runModelReader()
    try await runModelWriter()
  }
}
