import Arc
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcFormat

/// A save replaces the whole file. After a failure, the old file is unchanged and there is no other file.
final class SaveTests: FolderTestCase {
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  private func attributes(_ name: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(atPath: url(name).path)
  }

  // MARK: Success

  func testSaveReplacesTheFileAndPreservesPermissions() throws {
    for isNamed in [false, true] {
      let url = url("a.arc")
      try replace(url, by: [1], isNamed: isNamed)
      for permissions in [0o640, 0o400, 0o604] {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
        try replace(url, by: [UInt8(permissions & 0xFF)], isNamed: isNamed)
        XCTAssertEqual(try attributes("a.arc")[.posixPermissions] as? Int, permissions)
        XCTAssertEqual(try Data(contentsOf: url), Data([UInt8(permissions & 0xFF)]))
        XCTAssertEqual(try names, ["a.arc"])
      }
      try FileManager.default.removeItem(at: url)
    }
  }

  func testNewFileHasPermissionsOfTheUserMask() throws {
    let mask = umask(0o027)
    defer { umask(mask) }
    for isNamed in [false, true] {
      try replace(url("\(isNamed)"), by: [1], isNamed: isNamed)
      XCTAssertEqual(try attributes("\(isNamed)")[.posixPermissions] as? Int, 0o640)
    }
  }

  func testSavePreservesTheOwnerIfPermitted() throws {
    guard geteuid() == 0 else { return try testSaveReplacesTheFileAndPreservesPermissions() }
    for isNamed in [false, true] {
      try replace(url("a.arc"), by: [1], isNamed: isNamed)
      XCTAssertEqual(chown(url("a.arc").path, 7, 9), 0)
      try replace(url("a.arc"), by: [2], isNamed: isNamed)
      XCTAssertEqual(try attributes("a.arc")[.ownerAccountID] as? Int, 7)
      XCTAssertEqual(try attributes("a.arc")[.groupOwnerAccountID] as? Int, 9)
    }
  }

  func testChangedGroupGetsOnlyPublicPermissions() throws {
    guard geteuid() == 0 else { return try testSaveReplacesTheFileAndPreservesPermissions() }
    try replace(url("a.arc"), by: [1], isNamed: false)
    XCTAssertEqual(chown(url("a.arc").path, 7, 9), 0)
    XCTAssertEqual(chmod(url("a.arc").path, 0o664), 0)
    XCTAssertEqual(chmod(directory.path, 0o777), 0)
    try asNobody { try replace(url("a.arc"), by: [2], isNamed: false) }
    XCTAssertEqual(try attributes("a.arc")[.posixPermissions] as? Int, 0o644)
    XCTAssertEqual(try Data(contentsOf: url("a.arc")), Data([2]))
  }

  func testArchiverReplacesAnExistingFile() throws {
    let url = url("a.arc")
    for value in 1...2 {
      try Archiver().write(ChainNode(value), to: url)
      XCTAssertEqual(try Unarchiver().read(ChainNode.self, from: url).value, value)
    }
    XCTAssertEqual(try names, ["a.arc"])
  }

  func testLongestFileNameCanBeSaved() throws {
    for name in [String(repeating: "n", count: 255), String(repeating: "é", count: 100)] {
      for isNamed in [false, true, false] { try replace(url(name), by: [1], isNamed: isNamed) }
      XCTAssertEqual(try names, [name])
      try FileManager.default.removeItem(at: url(name))
    }
  }

  func testRelativePathIsResolvedWhenSavingBegins() throws {
    let old = FileManager.default.currentDirectoryPath
    defer { XCTAssertEqual(chdir(old), 0) }
    XCTAssertEqual(chdir(directory.path), 0)
    let file = try AtomicFile(replacing: "a.arc")
    XCTAssertEqual(chdir("/"), 0)
    try file.commit()
    XCTAssertEqual(try names, ["a.arc"])
  }

  // MARK: Links

  func testSaveFollowsSymbolicLinks() throws {
    for isNamed in [false, true] {
      try replace(url("target.arc"), by: [1], isNamed: isNamed)
      for (link, destination) in [("link", "target.arc"), ("far", directory.path + "/link")] {
        try? FileManager.default.removeItem(at: url(link))
        try FileManager.default.createSymbolicLink(atPath: url(link).path, withDestinationPath: destination)
        try replace(url(link), by: Array(link.utf8), isNamed: isNamed)
        XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: url(link).path), destination)
        XCTAssertEqual(try Data(contentsOf: url("target.arc")), Data(link.utf8))
      }
      XCTAssertEqual(try names, ["far", "link", "target.arc"])
    }
  }

  func testSaveFollowsLinkToAMissingFile() throws {
    try FileManager.default.createSymbolicLink(atPath: url("link").path, withDestinationPath: "new")
    try replace(url("link"), by: [3], isNamed: false)
    XCTAssertEqual(try Data(contentsOf: url("new")), Data([3]))
    XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: url("link").path), "new")
  }

  func testCycleOfSymbolicLinksIsAnError() throws {
    try FileManager.default.createSymbolicLink(atPath: url("a").path, withDestinationPath: "b")
    try FileManager.default.createSymbolicLink(atPath: url("b").path, withDestinationPath: "a")
    assertThrows(.fileSystem, "find") { try replace(url("a"), by: [1], isNamed: false) }
    XCTAssertEqual(try names, ["a", "b"])
  }

  /// In a shared directory like `/tmp`, another user can create a link to make the program replace one of its
  /// own files.
  func testForeignSymbolicLinkInSharedDirectoryIsRefused() throws {
    guard geteuid() == 0 else { return try testSaveFollowsSymbolicLinks() }
    try replace(url("mine"), by: [1], isNamed: false)
    try FileManager.default.createSymbolicLink(atPath: url("link").path, withDestinationPath: "mine")
    XCTAssertEqual(lchown(url("link").path, 65_534, 65_534), 0)
    XCTAssertEqual(chmod(directory.path, 0o1777), 0)
    assertThrows(.fileSystem, "Permission denied") { try replace(url("link"), by: [2], isNamed: false) }
    XCTAssertEqual(try Data(contentsOf: url("mine")), Data([1]))
    XCTAssertEqual(chmod(directory.path, 0o755), 0)
    try replace(url("link"), by: [2], isNamed: false)
    XCTAssertEqual(try Data(contentsOf: url("mine")), Data([2]))
  }

  // MARK: Failure

  func testSavingOverPipesAndFoldersIsRefused() throws {
    XCTAssertEqual(mkfifo(url("pipe").path, 0o600), 0)
    try FileManager.default.createDirectory(at: url("folder"), withIntermediateDirectories: false)
    for path in [url("pipe").path, url("folder").path, "/dev/null", url("").path, "", "."] {
      assertThrows(.fileSystem) { try AtomicFile(replacing: path) }
    }
    assertThrows(.fileSystem, "missing") { try replace(url("missing/a.arc"), by: [1], isNamed: false) }
    XCTAssertEqual(try names, ["folder", "pipe"])
  }

  func testAbandonedSaveLeavesOnlyTheOldFile() throws {
    try replace(url("old"), by: [1], isNamed: false)
    for name in ["old", "new"] {
      for isNamed in [false, true] {
        let file = try AtomicFile(replacing: url(name).path, isNamedFromTheStart: isNamed)
        try file.write([2, 3])
      }
    }
    XCTAssertEqual(try names, ["old"])
    XCTAssertEqual(try Data(contentsOf: url("old")), Data([1]))
    assertThrows(.notArchivable) { try Archiver().write(Impostor("x"), to: url("old")) }
    XCTAssertEqual(try Data(contentsOf: url("old")), Data([1]))
    XCTAssertEqual(try names, ["old"])
  }

  func testSaveInReadOnlyDirectoryPreservesOldFile() throws {
    try replace(url("a.arc"), by: [1], isNamed: false)
    XCTAssertEqual(chmod(directory.path, 0o555), 0)
    defer { chmod(directory.path, 0o755) }
    asNobody {
      for isNamed in [false, true] {
        assertThrows(.fileSystem, "unchanged") { try replace(url("a.arc"), by: [2], isNamed: isNamed) }
      }
    }
    XCTAssertEqual(try names, ["a.arc"])
    XCTAssertEqual(try Data(contentsOf: url("a.arc")), Data([1]))
  }

  /// Runs `body` as a user to whom file permissions apply. Root changes to another user.
  private func asNobody(_ body: () throws -> Void) rethrows {
    let user = geteuid()
    if user == 0 { XCTAssertEqual(seteuid(65_534), 0) }
    defer { if user == 0 { XCTAssertEqual(seteuid(0), 0) } }
    try body()
  }

  #if os(Linux)
    /// The process survives, although no code ignores the signal.
    func testSaveToFullDiskPreservesTheOldFile() throws {
      let url = url("a.arc")
      try Archiver().write(ChainNode(1), to: url)
      let old = try Data(contentsOf: url)
      var limit = rlimit()
      _ = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      var small = limit
      small.rlim_cur = 4096
      _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
      defer { _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) }
      let numbers = (0..<10_000).map { $0 &* 0x9E37_79B9_7F4A_7C15 }
      assertThrows(.fileSystem, "File too large") { try Archiver().write(numbers, to: url) }
      for isNamed in [false, true] {
        assertThrows(.fileSystem, "File too large") {
          try replace(url, by: [UInt8](repeating: 1, count: 5000), isNamed: isNamed)
        }
      }
      XCTAssertEqual(try Data(contentsOf: url), old)
      XCTAssertEqual(try names, ["a.arc"])
    }
  #endif

  // MARK: Debris

  private func debris(_ slots: ClosedRange<Int>, of name: String) -> [String] {
    let checksum = String(Checksum.crc32(name.utf8), radix: 16)
    return slots.map { ".\(name).\(checksum)-\($0).tmp" }
  }

  func testSaveRemovesTemporaryFilesOfKilledSaves() throws {
    for isNamed in [false, true] {
      let others = debris(0...1, of: "b.arc") + ["a.arc.tmp", ".a.arc-1.tmp"]
      for name in debris(0...0, of: "a.arc") + debris(3...5, of: "a.arc") + others {
        try Data([9]).write(to: url(name))
      }
      try replace(url("a.arc"), by: [1], isNamed: isNamed)
      XCTAssertEqual(try names, (others + ["a.arc"]).sorted())
    }
  }

  func testNonregularTemporaryFilesAreNotRemoved() throws {
    let names = debris(0...3, of: "a.arc")
    try replace(url("precious"), by: [7], isNamed: false)
    try FileManager.default.createSymbolicLink(atPath: url(names[0]).path, withDestinationPath: "precious")
    XCTAssertEqual(mkfifo(url(names[1]).path, 0o600), 0)
    try FileManager.default.createDirectory(at: url(names[2]), withIntermediateDirectories: false)
    XCTAssertEqual(link(url("precious").path, url(names[3]).path), 0)
    for isNamed in [false, true] { try replace(url("a.arc"), by: [1], isNamed: isNamed) }
    XCTAssertEqual(try Data(contentsOf: url("precious")), Data([7]))
    XCTAssertEqual(try self.names, (["precious", "a.arc"] + names[...2]).sorted())
  }

  func testTemporaryFileOfARunningSaveIsPreserved() throws {
    let slow = try AtomicFile(replacing: url("a.arc").path, isNamedFromTheStart: true)
    for isNamed in [false, true] { try replace(url("a.arc"), by: [1], isNamed: isNamed) }
    XCTAssertEqual(try names, (debris(0...0, of: "a.arc") + ["a.arc"]).sorted())
    try slow.write([2])
    try slow.commit()
    XCTAssertEqual(try Data(contentsOf: url("a.arc")).first, 2)
    XCTAssertEqual(try names, ["a.arc"])
  }

  /// There are more concurrent saves than names for temporary files.
  func testConcurrentSavesOfOneFileAllSucceed() throws {
    let url = url("a.arc")
    let failures = FailureList()
    let threads = (0..<40).map { number in
      Thread {
        defer { failures.finish() }
        for round in 0..<10 {
          let bytes = [UInt8](repeating: UInt8(number), count: 1000)
          do { try replace(url, by: bytes, isNamed: round % 2 == 0) } catch { failures.add("\(error)") }
        }
      }
    }
    for thread in threads { thread.start() }
    failures.wait(for: threads.count)
    XCTAssertEqual(failures.all, [])
    let content = try Data(contentsOf: url)
    XCTAssertEqual(content, Data(repeating: content[0], count: 1000))
    XCTAssertEqual(try names, ["a.arc"])
  }
}

/// Replaces a file. The temporary file has a name if `isNamed` is true, otherwise it has no name until it is
/// complete.
private func replace(_ url: URL, by bytes: [UInt8], isNamed: Bool) throws {
  let file = try AtomicFile(replacing: url.path, isNamedFromTheStart: isNamed)
  try file.write(bytes)
  try file.commit()
}
