import ArcRuntime

/// A string to explain, as its unchecked bytes.
struct EncodingLine {
  let bytes: [UInt8]

  /// Returns the lines of a text. A line end at the end of the text does not begin another line.
  static func all(in bytes: [UInt8]) -> [EncodingLine] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.map { line in
      EncodingLine(bytes: Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
    }
  }

  /// Parses the string as `kind`. If `kind` is nil, recognizes the kind. Fails if the string is malformed.
  func parsed(as kind: ObjectiveCEncoding.Kind?) -> Result<ObjectiveCEncoding, EncodingFailure> {
    let text = String(decoding: bytes, as: UTF8.self)
    if let byteOffset = zip(bytes, text.utf8).enumerated().first(where: { $1.0 != $1.1 })?.offset
      ?? (bytes.count == text.utf8.count ? nil : min(bytes.count, text.utf8.count))
    {
      return .failure(
        EncodingFailure(
          message: "a line that is not UTF-8", code: "invalidUTF8", byteOffset: byteOffset, description: nil))
    }
    do throws(TypeEncodingError) {
      guard let kind else { return .success(try ObjectiveCEncoding(parsing: text)) }
      return .success(try ObjectiveCEncoding(parsing: text, as: kind))
    } catch {
      return .failure(
        EncodingFailure(
          message: error.message, code: error.code.rawValue, byteOffset: error.byteOffset,
          description: error.description))
    }
  }
}

/// The reason why a string cannot be explained.
struct EncodingFailure: Error, CustomStringConvertible {
  let message: String
  /// The stable name of the kind of failure.
  let code: String
  /// The offset of the failure in the string, in bytes.
  let byteOffset: Int
  let description: String

  init(message: String, code: String, byteOffset: Int, description: String?) {
    self.message = message
    self.code = code
    self.byteOffset = byteOffset
    self.description = description ?? "\(message), at byte \(byteOffset)"
  }
}
