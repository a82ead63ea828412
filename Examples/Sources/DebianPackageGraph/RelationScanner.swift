/// A cursor that reads the parts of a relation field from left to right.
struct RelationScanner {
  private let text: String
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) {
    self.text = text
    self.bytes = Array(text.utf8)
    skipWhitespace()
  }

  var isAtEnd: Bool { index == bytes.count }

  func error(_ code: RelationError.Code) -> RelationError {
    RelationError(code: code, text: text, index: index)
  }

  func isNext(_ character: Unicode.Scalar) -> Bool {
    index < bytes.count && bytes[index] == UInt8(ascii: character)
  }

  /// Skips a character and the white space after it. Returns false if another character follows.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    index += 1
    skipWhitespace()
    return true
  }

  /// Reads `name[:qualifier] [(operator version)] [[architectures]] [<profiles>]…`.
  mutating func relation() throws(RelationError) -> PackageRelation {
    let name = read(while: Ascii.isNameByte)
    guard !name.isEmpty else { throw error(.missingName) }
    var relation = PackageRelation(name: name)
    if skip(":") {
      let qualifier = read(while: Ascii.isNameByte)
      guard !qualifier.isEmpty else { throw error(.missingQualifier) }
      relation.qualifier = qualifier
    }
    skipWhitespace()
    if skip("(") { relation.constraint = try constraint() }
    if skip("[") {
      relation.architectures = try list(endingWith: "]").split(separator: " ").map(String.init)
    }
    while skip("<") {
      relation.profiles.append(try list(endingWith: ">"))
    }
    return relation
  }

  private mutating func constraint() throws(RelationError) -> VersionConstraint {
    let start = index
    let sign = read { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "=") }
    guard let comparison = VersionOperator(parsing: sign) else {
      index = start
      throw error(.unknownOperator)
    }
    skipWhitespace()
    let version = read { !Ascii.isWhitespace($0) && $0 != UInt8(ascii: ")") }
    guard !version.isEmpty else { throw error(.missingVersion) }
    skipWhitespace()
    guard skip(")") else { throw error(isAtEnd ? .unclosedBracket : .unexpectedByte) }
    return VersionConstraint(comparison, version)
  }

  /// Reads the text up to the closing character, and skips this character. White space becomes single spaces.
  private mutating func list(endingWith end: Unicode.Scalar) throws(RelationError) -> String {
    let content = read { $0 != UInt8(ascii: end) }
    guard skip(end) else { throw error(.unclosedBracket) }
    return content.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private mutating func skipWhitespace() {
    while index < bytes.count, Ascii.isWhitespace(bytes[index]) { index += 1 }
  }

  private mutating func read(while belongs: (UInt8) -> Bool) -> String {
    let start = index
    while index < bytes.count, belongs(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }
}
