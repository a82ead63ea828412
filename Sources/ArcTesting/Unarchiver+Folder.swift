public import Arc
public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Unarchiver {
  /// In a test, checks that the program can read all archives in a folder.
  ///
  /// The folder contains, for example, files of all released versions.
  ///
  ///     func testFilesOfAllReleasesCanBeRead() throws {
  ///       try Unarchiver().check(archivesIn: folder, for: Museum.self, reading: true)
  ///     }
  ///
  /// - Parameters:
  ///   - folder: the folder. The method checks all files whose names end in `.arc`, also in nested folders.
  ///   - type: the type of the roots of the archives.
  ///   - isReading: whether the method also reads the values of each archive. If false, the method compares
  ///     only the schemas, and does not find values that the program's types or code reject.
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

  /// Returns the paths of the archives relative to a folder, sorted.
  private static func namesOfArchives(in folder: URL) throws -> [String] {
    let path = try folder.localPath()
    let archives = try folder.pathsInFolder().filter { name in
      guard name.hasSuffix(".arc") else { return false }
      // If the attributes of a file cannot be read, opening the file throws the error.
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return attributes?[.type] as? FileAttributeType != .typeDirectory
    }
    guard !archives.isEmpty else {
      throw ArchiveError(
        .fileSystem, found: "no .arc file in '\(path)'", expected: "at least one .arc file in the folder",
        remedy: "check the path of the folder")
    }
    return archives.sorted()
  }
}

/// An error that lists the unreadable archives of a folder, each with the reason.
///
/// For example, the description of an error is:
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
    /// The path of the archive, relative to the folder.
    public let name: String
    /// The differences between the archive and the program that prevent reading. Empty if ``error`` is not
    /// nil.
    public let differences: [SchemaDifference]
    /// The error that opening or reading the archive threw. Nil if ``differences`` explain the failure.
    public let error: (any Error)?

    init(name: String, differences: [SchemaDifference] = [], error: (any Error)? = nil) {
      self.name = name
      self.differences = differences
      self.error = error
    }
  }
}

extension ArchiveFolderError: CustomStringConvertible {
  /// The error as text: the path of each archive, followed by lines with the reasons.
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
  /// The description of the error, for developers.
  public var errorDescription: String? { description }
}
