public import ArcFormat
public import ArcRuntime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ArchiveError: LocalizedError {
  /// A sentence about the error for the user of a document, without technical terms.
  public var errorDescription: String? {
    let file = filePath.map { "“\(URL(fileURLWithPath: $0).lastPathComponent)”" }
    return isOfWriting ? sentenceOfWriting(file ?? "The document") : sentenceOfReading(file)
  }

  /// Returns a sentence about a failed save. The sentence does not blame the existing file, because a failed
  /// save leaves that file unchanged.
  private func sentenceOfWriting(_ file: String) -> String {
    switch code {
    case .fileSystem: "\(file) could not be written."
    case .limitExceeded: "\(file) could not be saved because it is too large or too deeply nested."
    case .valueOutOfRange: "\(file) could not be saved because it contains a value that no file can hold."
    case .compressionFailed: "\(file) could not be saved because it could not be compressed."
    default: "\(file) could not be saved because of an error in the program."
    }
  }

  private func sentenceOfReading(_ file: String?) -> String {
    switch code {
    case .notAnArchive: "\(file ?? "The data") is not a document of this kind."
    case .damagedHeader, .damagedTrailer, .damagedSegment, .malformedSegment, .indexMismatch,
      .compressionFailed, .malformedClassTable, .malformedEncoding, .malformedColumn, .invalidString,
      .danglingReference, .constructionOrder, .duplicateKey:
      "\(file ?? "The document") is damaged."
    case .truncated: "\(file ?? "The document") is incomplete: its end is missing."
    case .unsupportedVersion, .unsupportedFeature, .unknownCase, .newerVersion:
      "\(file ?? "The document") was saved by a newer version of the program."
    case .unknownClass, .missingRoot, .missingKey, .typeMismatch, .valueOutOfRange, .wrongClass,
      .nilReference, .hashCycle, .constructionCycle, .migrationFailed:
      "\(file ?? "The document") contains something that this version of the program does not understand."
    case .unownedTarget, .notArchivable, .nameConflict, .lostIdentity:
      "The document could not be saved because of an error in the program."
    case .wrongShard: "\(file ?? "The document") is not the file that belongs in this folder."
    case .limitExceeded: "\(file ?? "The document") is larger than the program accepts."
    case .fileSystem: "\(file ?? "The file") could not be read or written."
    case .invalidUse: "The document could not be read or saved because of an error in the program."
    }
  }

  /// The complete error for developers: the code, `found`, `expected`, the location and the remedy.
  public var failureReason: String? { description }

  /// The remedy for the error. Nil if no remedy is known.
  public var recoverySuggestion: String? { remedy }
}

extension ArchiveError {
  /// Calls a closure and returns its result. If the closure throws an `ArchiveError`, adds the path of the
  /// file to the error.
  package static func locating<Result>(inFile url: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ArchiveError {
      throw error.located(filePath: url.path)
    }
  }

  /// Calls a closure that writes an archive, and marks its errors as errors of writing. An error with a file
  /// path is not marked, because it belongs to another file that the program's own code reads during the
  /// call.
  static func whileWriting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var error as ArchiveError {
      if error.filePath == nil { error.isOfWriting = true }
      throw error
    }
  }
}

extension KeyAccessError: LocalizedError {
  /// The `description` of the error, which is written for developers.
  public var errorDescription: String? { description }
}

extension ClassTableError: LocalizedError {
  /// The `description` of the error, which is written for developers.
  public var errorDescription: String? { description }
}

extension TypeEncodingError: LocalizedError {
  /// The `description` of the error, which is written for developers.
  public var errorDescription: String? { description }
}

extension SchemaSnapshotError: LocalizedError {
  /// The `description` of the error, which is written for developers.
  public var errorDescription: String? { description }
}
