public import Arc
import ArcArchive
import ArcFormat

extension Archivable {
  /// The contents of this object in one line, in which each object has a number.
  ///
  ///     print(user.modelDescription)   // User #1 { friends: [User #2 { friends: [User #1] }] }
  ///
  /// The result equals ``modelDescription(depth:)`` with a depth of 32.
  public var modelDescription: String { modelDescription(depth: 32) }

  /// Describes the contents of the object in one line, up to a nesting depth. Returns the line.
  ///
  ///     print(user.modelDescription(depth: 1))   // User #1 { id: 7, friends: […] }
  ///
  /// The contents of each object are shown once, and only for the first 1,000 objects. Otherwise, an object
  /// appears only with its class name and number. A string is truncated after 10,000 characters, and the line
  /// after about 1 MB. If the object cannot be archived, the line contains the error instead of the contents.
  ///
  /// - Parameter depth: the maximum nesting of objects and composite values, from 0 to 32; 0 shows `User #1 {
  ///   … }`.
  /// - Returns: the line.
  /// - Complexity: O(*n*) for *n* values in all objects that this object reaches.
  public func modelDescription(depth: Int) -> String {
    do {
      let file = try ArchiveFile(bytes: Archiver(isCanonical: true).archive(self))
      var description = GraphDescription(file: file, maximumDepth: min(depth, 32))
      // The recursion is limited by `maximumDepth`.
      try StackExtension.traverse {
        if let root = try file.roots().properties.first { description.append(root.value, depth: 0) }
      }
      return description.text
    } catch {
      return "\(type(of: self)), which cannot be described: \(error)"
    }
  }
}

/// A description of an archive's values, to which values are appended one at a time.
private struct GraphDescription {
  let file: ArchiveFile
  private(set) var text = ""
  private var described: Set<ObjectID> = []

  private let maximumDepth: Int
  private static let maximumCount = 1000
  /// The maximum number of bytes of the line.
  private static let maximumByteCount = 1 << 20
  private static let maximumStringLength = 10_000

  init(file: ArchiveFile, maximumDepth: Int) { (self.file, self.maximumDepth) = (file, maximumDepth) }

  /// Appends a value. The recursion is not deeper than `maximumDepth`.
  mutating func append(_ value: ArchiveValue, depth: Int) {
    switch value {
    case .null, .nestedNull: text += "nil"
    case .bool(let value): text += "\(value)"
    case .integer(let value): text += "\(value)"
    case .unsigned(let value): text += "\(value)"
    case .float(let value): text += "\(value)"
    case .double(let value): text += "\(value)"
    case .string(let value): append(value)
    case .data(let bytes): text += "\(bytes.count) bytes"
    case .date(let seconds): text += DateNotation.text(seconds) ?? "\(seconds) s since 2001"
    case .uuid(let bytes): text += UUIDNotation.text(bytes)
    case .decimal(let notation): text += notation
    case .url(let url, let base): text += base.map { "\(url) at \($0)" } ?? url
    case .reference(nil): text += "nil"
    case .reference(let id?): append(id, depth: depth)
    case .array(let values), .set(let values):
      append(values, "[", "]", depth) { $0.append($1, depth: depth + 1) }
    case .dictionary(let entries):
      append(entries, "[", "]", depth) {
        $0.append($1.key, depth: depth + 1)
        $0.text += ": "
        $0.append($1.value, depth: depth + 1)
      }
    case .structure(_, let fields): append(fields, depth)
    case .enumeration(_, let name, let payload):
      text += ".\(name)"
      if let payload, depth < maximumDepth { append(payload, depth: depth + 1) }
    }
  }

  /// Appends a string in quotes. Escapes characters that could end a line or control a terminal.
  private mutating func append(_ string: String) {
    var filter = PrintableFilter()
    let (start, restByteCount) = string.cut(toScalars: Self.maximumStringLength)
    for scalar in start.debugDescription.unicodeScalars {
      if filter.shows(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    if restByteCount > 0 { text += "…" }
  }

  private mutating func append(_ fields: [ArchiveValue.Field], _ depth: Int) {
    append(fields, "(", ")", depth) {
      if !$1.name.isEmpty { $0.text += "\($1.name): " }
      $0.append($1.value, depth: depth + 1)
    }
  }

  private mutating func append(_ id: ObjectID, depth: Int) {
    // The description shows as much as can be read.
    guard let object = try? file.object(id) else {
      text += "#\(id.rawValue)"
      return
    }
    text += "\(object.className) #\(id.rawValue)"
    guard described.count < Self.maximumCount, described.insert(id).inserted else { return }
    text += " "
    append(object.properties, "{ ", " }", depth) {
      $0.text += "\($1.key): "
      $0.append($1.value, depth: depth + 1)
    }
  }

  private mutating func append<Element>(
    _ elements: [Element], _ opening: String, _ closing: String, _ depth: Int,
    _ appendElement: (inout Self, Element) -> Void
  ) {
    text += opening
    if depth >= maximumDepth {
      text += "…"
    } else {
      for (index, element) in elements.enumerated() {
        guard text.utf8.count < Self.maximumByteCount else {
          text += "…"
          break
        }
        if index > 0 { text += ", " }
        appendElement(&self, element)
      }
    }
    text += closing
  }
}
