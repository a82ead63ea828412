import ArcArchive
import ArcFormat

/// Claims that must hold for any bytes that are opened as an archive. A fuzzer checks them, too.
package enum ArchiveClaims {
  /// Limits that are low enough to check any file in a moment.
  private static let limits = ArchiveLimits(
    fileBytes: 1 << 24, rawBytes: 1 << 24, rows: 20_000, classes: 1000, classTableBytes: 1 << 16,
    columnsPerClass: 1000, elements: 100_000, nesting: 64)

  /// Returns the first claim that does not hold. Nil if all hold.
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
        // Elements without bytes have a higher cost for a reader that builds each element.
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
