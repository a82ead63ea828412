public import Arc
public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Unarchiver {
  /// Checks that all archives in a folder can be read, for a test over files of released versions.
  ///
  ///     func testFilesOfAllReleasesCanBeRead() throws {
  ///       try Unarchiver().check(archivesIn: folder, for: Museum.self, reading: true)
  ///     }
  ///
  /// - Parameters:
  ///   - folder: the folder. All files whose names end in `.arc` are checked, also in nested folders.
  ///   - type: the type of their roots.
  ///   - isReading: whether each archive is also read. Only reading shows whether the values fit the
  ///     program's types and are accepted by its code.
  /// - Throws: ``ArchiveFolderError`` with all archives that cannot be read; `ArchiveError` with code
  ///   `fileSystem` if the folder has no archive or cannot be listed.
  public func check<Value: ArchivableValue>(
    archivesIn folder: URL, for type: Value.Type, reading isReading: Bool = false
  ) throws {
    let names = try Self.namesOfArchives(in: folder)
    let failures = names.compactMap { name in
      failure(of: name, at: folder.appendingPathComponent(name), for: type, isReading)
    }
    guard failures.isEmpty else {
      throw ArchiveFolderError(folderPath: folder.path, archiveCount: names.count, failures: failures)
    }
  }

  private func failure<Value: ArchivableValue>(
    of name: String, at url: URL, for type: Value.Type, _ isReading: Bool
  ) -> ArchiveFolderError.Failure? {
    do {
      let refused = try differences(inContentsOf: url, readAs: type).filter { $0.effect == .refused }
      guard refused.isEmpty else { return ArchiveFolderError.Failure(name: name, differences: refused) }
      if isReading { _ = try read(type, from: url) }
      return nil
    } catch {
      return ArchiveFolderError.Failure(name: name, error: error)
    }
  }

  /// The paths of the archives within a folder, in their order.
  private static func namesOfArchives(in folder: URL) throws -> [String] {
    let path = try folder.localPath()
    let archives = try folder.pathsInFolder().filter { name in
      guard name.hasSuffix(".arc") else { return false }
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return attributes?[.type] as? FileAttributeType != .typeDirectory
    }
    guard !archives.isEmpty else {
      throw ArchiveError(
        .fileSystem, found: "no .arc file in '\(path)'", expected: "at least one archive",
        remedy: "check the path of the folder")
    }
    return archives.sorted()
  }
}

/// The archives of a folder that cannot be read, with the reasons.
///
///     1 of 12 archives in '/…/Archives' cannot be read
///     v1/empty.arc
///       refused: class 'Page', key 'title': the file has no such property, the program type 'String' …
public struct ArchiveFolderError: Error, Sendable {
  /// The path of the folder.
  public let folderPath: String
  /// The number of archives in the folder.
  public let archiveCount: Int
  /// The archives that cannot be read, sorted by name.
  public let failures: [Failure]

  /// An archive that cannot be read.
  public struct Failure: Sendable {
    /// The path of the archive within the folder.
    public let name: String
    /// The differences between the archive and the program that are refused.
    public let differences: [SchemaDifference]
    /// The error of opening or reading the archive. Nil if the differences already show that it is refused.
    public let error: (any Error)?

    init(name: String, differences: [SchemaDifference] = [], error: (any Error)? = nil) {
      self.name = name
      self.differences = differences
      self.error = error
    }
  }
}

extension ArchiveFolderError: CustomStringConvertible {
  /// The error as text: each archive, with its reasons on the lines after it.
  public var description: String {
    let head = "\(failures.count) of \(plural(archiveCount, "archive")) in '\(folderPath)' cannot be read"
    let lines = failures.flatMap { failure in
      let reasons = failure.differences.map(\.description) + (failure.error.map { ["\($0)"] } ?? [])
      return [printable(failure.name)]
        + reasons.flatMap { $0.split(separator: "\n").map { "  " + $0 } }
    }
    return ([printable(head)] + lines).joined(separator: "\n")
  }
}

extension ArchiveFolderError: LocalizedError {
  /// The description of the error, which is meant for developers.
  public var errorDescription: String? { description }
}
