/// A file format that is not an archive, for the error about a file without an archive's signature.
///
/// Spec: 02-container, rule H1.
enum OtherFileFormat: CaseIterable {
  case keyedArchive, binaryPropertyList, xmlPropertyList, openStepPropertyList
  case jsonLines, json, csv, sqlite, zip, gzip

  /// The number of bytes at the beginning of a file that determine its format.
  static let prefixByteCount = 1 << 16

  /// Finds the format of a file. Nil for an unknown format.
  ///
  /// - Parameter prefix: the first bytes of the file, at most `prefixByteCount`.
  /// - Complexity: O(bytes).
  init?(prefix: [UInt8]) {
    let signatures: [([UInt8], OtherFileFormat)] = [
      (Array("bplist".utf8), .binaryPropertyList), (Array("SQLite format 3\0".utf8), .sqlite),
      ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x50, 0x4B, 0x05, 0x06], .zip), ([0x1F, 0x8B], .gzip),
    ]
    if let format = signatures.first(where: { prefix.starts(with: $0.0) })?.1 {
      let isKeyed = format == .binaryPropertyList && Self.contains("$archiver", prefix)
      self = isKeyed ? .keyedArchive : format
      return
    }
    guard let format = Self.textFormat(of: prefix) else { return nil }
    self = format
  }

  /// The description of the format, for errors.
  var words: String {
    switch self {
    case .keyedArchive: "a keyed archive of NSKeyedArchiver"
    case .binaryPropertyList: "a binary property list"
    case .xmlPropertyList: "an XML property list"
    case .openStepPropertyList: "an OpenStep property list"
    case .jsonLines: "JSON lines"
    case .json: "JSON text"
    case .csv: "a CSV table"
    case .sqlite: "an SQLite database"
    case .zip: "a zip file"
    case .gzip: "a gzip file"
    }
  }

  /// The instruction for reading the file.
  var remedy: String {
    switch self {
    case .keyedArchive, .binaryPropertyList, .xmlPropertyList, .openStepPropertyList:
      "convert the file with `arcdump import FILE -o NEW.arc`, or read it with ArchiveImporter"
    case .jsonLines: "convert the file with `arcdump import --format jsonl FILE -o NEW.arc`"
    case .json: "convert the file with `arcdump import --format json FILE -o NEW.arc`"
    case .csv: "convert the file with `arcdump import --format csv FILE -o NEW.arc`"
    case .sqlite: "convert the file with `arcdump import FILE -o NEW.arc`"
    case .zip: "extract the archive from the file, for example with `unzip`"
    case .gzip: "decompress the file, for example with `gunzip`"
    }
  }

  // MARK: Text

  private static func textFormat(of prefix: [UInt8]) -> OtherFileFormat? {
    let start = prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = prefix[start...]
    guard let first = text.firstIndex(where: { !isSpace($0) }) else { return nil }
    let rest = text[first...]
    switch rest[first] {
    case UInt8(ascii: "<"):
      guard contains("<plist", prefix) else { return nil }
      return contains("$archiver", prefix) ? .keyedArchive : .xmlPropertyList
    case UInt8(ascii: "("): return isText(text) ? .openStepPropertyList : nil
    case UInt8(ascii: "["): return isText(text) ? .json : nil
    case UInt8(ascii: "{"): return isText(text) ? formatOfBraces(rest) : nil
    default: return isText(text) && isTable(text) ? .csv : nil
    }
  }

  /// Returns the format of text that begins with a brace. If `=` follows the first key, the text is an
  /// OpenStep property list. If each of the first two lines is a whole object, the text is JSON lines.
  /// Otherwise, it is JSON.
  private static func formatOfBraces(_ text: ArraySlice<UInt8>) -> OtherFileFormat {
    let equals = text.firstIndex(of: UInt8(ascii: "="))
    let colon = text.firstIndex(of: UInt8(ascii: ":"))
    if let equals, colon.map({ equals < $0 }) ?? true { return .openStepPropertyList }
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2).prefix(2)
    let areObjects = lines.allSatisfy { line in
      line.first == UInt8(ascii: "{") && line.last { !isSpace($0) } == UInt8(ascii: "}")
    }
    return lines.count == 2 && areObjects ? .jsonLines : .json
  }

  /// Whether the first two lines have the same number of separators, and at least one.
  private static func isTable(_ text: ArraySlice<UInt8>) -> Bool {
    let lines = text.split(maxSplits: 2) { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.prefix(2)
    guard lines.count == 2 else { return false }
    return ",;\t".utf8.contains { separator in
      let counts = lines.map { line in line.count { $0 == separator } }
      return counts[0] > 0 && counts[0] == counts[1]
    }
  }

  /// Whether the bytes contain no control characters except white space.
  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || isSpace($0) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  private static func contains(_ text: StaticString, _ bytes: [UInt8]) -> Bool {
    let pattern = Array(text.description.utf8)
    return bytes.indices.contains { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
  }
}
