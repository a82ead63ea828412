import ArcJSON

// A part of a target for libFuzzer, which is not part of the package. .github/TESTING.md describes how to
// build it.

@_silgen_name("LLVMFuzzerMutate")
private func mutateAnyhow(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int

/// Changes a complete value of a JSON text in every other call. In the other calls, libFuzzer changes bytes.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateText(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  var random = SplitMix64(seed: UInt64(seed))
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard Int.random(in: 0..<3, using: &random) > 0, let changed = JSONMutator.changed(bytes, &random),
    changed.count <= capacity
  else { return unsafe mutateAnyhow(start, count, capacity) }
  for index in changed.indices { unsafe start[index] = changed[index] }
  return changed.count
}

/// A mutator of JSON texts that changes complete values.
enum JSONMutator {
  /// Values at the limits of types and notations.
  private static let values = [
    "null", "true", "false", "0", "-0", "1", "-1", "127", "128", "255", "256", "65535", "2147483648", "1e2",
    "1.0",
    "0.1", "1e400", "1e-400", "-9223372036854775808", "9223372036854775807", "9223372036854775808",
    "18446744073709551615", "18446744073709551616", "9007199254740993",
    "340282366920938463463374607431768211455",
    "3.5e38", "\"\"", "\"NaN\"", "\"-inf\"", "\" 12 \"", "\"yes\"", "\"0x10\"", "\"\\u0000\"",
    "\"\\ud83d\\ude00\"",
    "\"2001-01-31T12:00:00.25Z\"", "\"Wed, 31 Jan 2001 12:00:00 GMT\"", "\"9999-12-31T23:59:59.999999999Z\"",
    "\"0000-01-01T00:00:00-23:59\"", "253402300800", "-62167219200", "1e300",
    "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", "\"QUI=\"", "\"_-8\"", "\"https://a.b/c?d=é#e\"", "\"1e5\"",
    "\"é\"", "\"e\\u0301\"", "\"zwei\"", "\"#FF8000\"", "\"disc\"", "\"draft\"", "\"worker\"", "\"bad\"",
    "\"empty\"",
    "[]", "{}", "[[]]", "[1,2]", "[1,\"a\"]", "{\"_0\":1}", "{\"x\":1}", "{\"x\":1,\"note\":\"n\"}",
    "{\"circle\":{\"radius\":2}}", "{\"nested\":\"empty\"}", "{\"type\":\"inner\"}",
    "{\"type\":\"inner\",\"_0\":{}}",
    "{\"kind\":\"disc\"}", "{\"kind\":\"draft\",\"cost\":\"5\"}", "{\"id\":1}", "{\"a\":1,\"b\":2}",
    "{\"a\":{\"a\":1,\"c\":\"x\"},\"b\":2}",
  ].map { Array($0.utf8) }

  /// Returns the bytes after a value was replaced, removed, repeated or nested in a new value. Nil if the
  /// bytes are not JSON.
  static func changed(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    guard let letter = bytes.first else { return nil }
    let text = Array(bytes.dropFirst())
    guard let document = try? JSONDocument(text, duplicateKeys: .last) else { return nil }
    var pieces: [Range<Int>] = []
    collect(document.root, text, &pieces)
    guard let piece = pieces.randomElement(using: &random), let other = pieces.randomElement(using: &random)
    else {
      return nil
    }
    let value = values.randomElement(using: &random) ?? []
    let old = Array(text[piece])
    let isMember = text[..<piece.lowerBound].last { $0 != 0x20 } == UInt8(ascii: ":")
    let new: [UInt8] =
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1, 2: value
      case 3, 4: Array(text[other])
      case 5: Array("[".utf8) + old + Array("]".utf8)
      case 6: old + Array(",".utf8) + (isMember ? name(&random, text, pieces) + Array(":".utf8) : []) + value
      case 7: Array("{".utf8) + name(&random, text, pieces) + Array(":".utf8) + old + Array("}".utf8)
      default:
        Array("\"".utf8) + old.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
          + Array("\"".utf8)
      }
    let first =
      Int.random(in: 0..<40, using: &random) == 0
      ? UInt8(ascii: "a") + UInt8.random(in: 0..<14, using: &random) : letter
    return [first] + text[..<piece.lowerBound] + new + text[piece.upperBound...]
  }

  private static let names = [
    "_0", "_1", "x", "note", "kind", "type", "name", "id", "parts", "byName", "next", "member", "a", "b", "c",
    "void",
    "cost", "user", "uid", "tree", "radius", "peers", "1", "1.0", "true", "",
  ].map { Array("\"\($0)\"".utf8) }

  /// Returns a member's name from the text, or another name.
  private static func name(_ random: inout SplitMix64, _ text: [UInt8], _ pieces: [Range<Int>]) -> [UInt8] {
    if Bool.random(using: &random), let piece = pieces.randomElement(using: &random),
      text[piece].first == 0x22
    {
      return Array(text[piece])
    }
    return names.randomElement(using: &random) ?? []
  }

  /// Collects the byte ranges of all values.
  private static func collect(_ node: JSONNode, _ text: [UInt8], _ pieces: inout [Range<Int>]) {
    for index in 0..<node.document.wordCount {
      let start = node.document.byteOffset(of: index)
      let word = node.document.word(at: index)
      guard start < text.count else { continue }
      switch word.kind {
      case .null: if text[start] == UInt8(ascii: "n") { pieces.append(start..<start + 4) }
      case .true: pieces.append(start..<start + 4)
      case .false: pieces.append(start..<start + 5)
      case .integer, .fraction: pieces.append(start..<start + word.length)
      case .asciiString, .string, .escapedString: pieces.append(start..<start + word.length + 2)
      case .array, .object: pieces.append(start..<end(ofContainerAt: start, text))
      }
    }
  }

  /// Returns the end of the array or object at an offset. The text must be valid JSON.
  private static func end(ofContainerAt start: Int, _ text: [UInt8]) -> Int {
    var (depth, offset, isString) = (0, start, false)
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\\") where isString: offset += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): if !isString { depth += 1 }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if !isString { depth -= 1 }
        if depth == 0 { return offset + 1 }
      default: break
      }
      offset += 1
    }
    return text.count
  }
}
