import ArcArchive
import ArcFormat

/// What holds for any bytes at all when they are opened as an archive; also what the fuzzer looks for.
package enum ArchiveClaims {
  /// Little enough for any file that is tried to be done in a moment.
  private static let limits = ArchiveLimits(
    fileBytes: 1 << 24, rawBytes: 1 << 24, rows: 20_000, classes: 1000, classTableBytes: 1 << 16,
    columnsPerClass: 1000, elements: 100_000, nesting: 64)

  /// The first claim that does not hold.
  package static func violation(by bytes: [UInt8]) -> String? {
    do {
      let file = try ArchiveFile(bytes: bytes, limits: limits)
      _ = file.classInfos
      var verdict: ArchiveError?
      do { try file.verify() } catch { verdict = error }
      do {
        for row in 0..<file.rowCount {
          let object = try file.object(ObjectID(rawValue: UInt32(row)))
          if object.id.rawValue != row { return "row \(row) is \(object.id)" }
        }
      } catch let error as ArchiveError {
        // Elements without bytes are charged more than once by a reader that builds each.
        if verdict == nil, error.code != .limitExceeded { return "verified, but not readable: \(error)" }
      }
      return nil
    } catch let error as ArchiveError {
      return error.found.isEmpty ? "an error that says nothing" : nil
    } catch {
      return "an error that is no ArchiveError: \(error)"
    }
  }
}
