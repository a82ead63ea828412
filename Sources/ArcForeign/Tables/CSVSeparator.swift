import ArcFormat

/// The character between the fields of a CSV file.
struct CSVSeparator {
  let byte: UInt8
  /// The byte offset of the first record, after the byte order mark and the line `sep=`.
  let start: Int

  /// The separators that the reader can detect in a file.
  private static let candidates = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
  /// The maximum number of records that are read to find the separator.
  private static let maximumRecordCount = 100

  /// Finds the separator of a table. `stated` is the separator of the options; nil if they have none.
  init(
    of text: TableText, stated: Character?, _ limits: ArchiveLimits
  ) throws(ImportError) {
    let first = Self.firstLine(of: text)
    let shown = Self.separator(inFirstLine: text.bytes[text.start..<first])
    start = shown == nil ? text.start : CSVReader.nextLine(after: first, in: text.bytes)
    if let stated {
      guard let byte = stated.asciiValue, byte != UInt8(ascii: "\""), !CSVReader.endsLine(byte) else {
        throw ImportError(
          .malformedTable, found: "the separator '\(stated)'",
          expected: "one ASCII character that is not a quote or a line end")
      }
      self.byte = byte
    } else if let shown {
      byte = shown
    } else {
      byte = try Self.separator(of: text, from: start, limits)
    }
  }

  private static func firstLine(of text: TableText) -> Int {
    text.bytes[text.start...].firstIndex(where: CSVReader.endsLine) ?? text.bytes.count
  }

  /// Returns the separator in a line such as `sep=;`, which spreadsheets write and read. Nil for other lines.
  private static func separator(inFirstLine line: ArraySlice<UInt8>) -> UInt8? {
    let bytes = Array(line.first == UInt8(ascii: "\"") ? line.dropFirst().dropLast() : line)
    guard bytes.count == 5, String(decoding: bytes.prefix(4), as: UTF8.self).lowercased() == "sep=",
      bytes[4] < 0x80, bytes[4] != UInt8(ascii: "\"")
    else { return nil }
    return bytes[4]
  }

  /// Returns the separator that occurs in the first record. If several separators occur there, returns the
  /// separator with which the first records all have the same number of fields. Throws unless exactly one
  /// separator fits.
  private static func separator(
    of text: TableText, from start: Int, _ limits: ArchiveLimits
  ) throws(ImportError) -> UInt8 {
    let found = candidates.filter { (fieldCount(text, from: start, $0, recordCount: 1, limits) ?? 1) > 1 }
    guard found.count > 1 else { return found.first ?? candidates[0] }
    let fitting = found.filter {
      fieldCount(text, from: start, $0, recordCount: maximumRecordCount, limits) != nil
    }
    if fitting.count == 1 { return fitting[0] }
    throw ImportError(
      .malformedTable, found: "a header with the separators \(found.map(words).joined(separator: " and "))",
      expected: fitting.isEmpty
        ? "the same number of fields in each line, with one of the separators"
        : "one separator, because each line has the same number of fields with "
          + (fitting.count == 2 ? "both" : "several"),
      remedy: "state the separator: --separator ',' or in a program TableOptions(separator: \",\")",
      byteOffset: start)
  }

  /// Returns the number of fields of the first record. Nil if one of the first records cannot be read, or if
  /// it has another number of fields than the first record.
  private static func fieldCount(
    _ text: TableText, from start: Int, _ separator: UInt8, recordCount: Int,
    _ limits: ArchiveLimits
  ) -> Int? {
    var reader = CSVReader(text.bytes, from: start, separator: separator, limits)
    var count: Int?
    do throws(ImportError) {
      for _ in 0..<recordCount {
        guard let record = try reader.record() else { return count }
        if record.count == 1, record[0].isEmpty { continue }
        guard count == nil || count == record.count else { return nil }
        count = record.count
      }
    } catch {
      return nil
    }
    return count
  }

  /// Returns a description of a separator, for error messages.
  static func words(_ byte: UInt8) -> String {
    byte == UInt8(ascii: "\t") ? "tab" : "'\(Character(Unicode.Scalar(byte)))'"
  }
}
