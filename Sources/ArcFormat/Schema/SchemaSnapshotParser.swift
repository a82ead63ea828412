import ArcRuntime

extension SchemaSnapshot {
  /// Parses the text of a snapshot. ``description`` returns this text.
  ///
  /// The parser reads the type encodings, and ignores the Swift types, which are comments for people.
  ///
  ///     let old = try SchemaSnapshot(parsing: String(contentsOf: url, encoding: .utf8))
  ///
  /// - Parameter text: the text.
  /// - Throws: ``SchemaSnapshotError`` with the number of the malformed line, or without a line number if the
  ///   text is too long.
  /// - Complexity: O(*n* + *m*), where *n* is the number of bytes, and *m* is the number of properties and
  ///   older names of all classes. An inherited property is counted in each class. *m* is at most 131,072.
  public init(parsing text: String) throws(SchemaSnapshotError) {
    let byteLimit = ArchiveLimits.default.classTableBytes
    guard text.utf8.count <= byteLimit else {
      throw SchemaSnapshotError(
        .limitExceeded, found: "a snapshot of \(plural(text.utf8.count, "byte"))",
        expected: "at most \(plural(byteLimit, "byte"))")
    }
    var parser = SchemaSnapshotParser()
    try parser.read(text)
    self = try parser.finish()
  }

  /// Reads the text of a snapshot.
  ///
  /// - Throws: ``SchemaSnapshotError``, also if the bytes are not valid UTF-8.
  package init(parsing bytes: some Collection<UInt8>) throws(SchemaSnapshotError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SchemaSnapshotError(
        .malformedText, found: "bytes that are not UTF-8", expected: "a text in UTF-8")
    }
    try self.init(parsing: text)
  }

  /// Whether bytes begin with the heading of a snapshot.
  package static func isText(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: heading.utf8) }
}

/// Reads the text of a snapshot line by line.
private struct SchemaSnapshotParser {
  /// The maximum numbers of properties and older names, including inherited names. `ofClass` is the limit for
  /// one class, and `total` is the limit for all classes and roots together. No real program exceeds the
  /// limits. They are needed because comparing two classes takes time in proportion to the product of their
  /// numbers of names.
  private static let nameLimits = (ofClass: 4_096, total: 131_072)

  private var roots: [SchemaSnapshot.Root] = []
  private var classes: [SchemaSnapshot.Class] = []
  /// The line number of each class.
  private var classLines: [Int] = []
  private var isInClass = false
  private var rootNames: Set<ExactName> = []
  private var classNames: [ExactName: Int] = [:]
  private var formerNames: Set<ExactName> = []
  /// The keys of the current class. The value is true if a hand-written coder used the key.
  private var keys: [ExactName: Bool] = [:]
  private var lineNumber = 0

  // MARK: Lines

  mutating func read(_ text: String) throws(SchemaSnapshotError) {
    for bytes in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      lineNumber += 1
      var line = SnapshotLine(bytes)
      if lineNumber == 1 {
        try readHeading(&line)
      } else if !line.isAtEnd {
        try readLine(&line)
      }
    }
  }

  private func readHeading(_ line: inout SnapshotLine) throws(SchemaSnapshotError) {
    let expected = SchemaSnapshot.heading + "\(SchemaSnapshot.version)"
    guard line.take(SchemaSnapshot.heading), let version = line.number() else {
      throw failure(
        .malformedText, found: "the first line '\(line.text)'", expected: "the first line '\(expected)'")
    }
    guard version == SchemaSnapshot.version, line.isAtEnd else {
      throw failure(
        .unsupportedVersion, found: "the first line '\(line.text)'", expected: "the first line '\(expected)'")
    }
  }

  private mutating func readLine(_ line: inout SnapshotLine) throws(SchemaSnapshotError) {
    if line.take("root ") { return try readRoot(&line) }
    if line.take("class ") { return try readClass(&line) }
    guard line.take("  "), isInClass || !roots.isEmpty else {
      throw failure(
        .malformedText, found: "the line '\(line.text)'",
        expected: "a line of the form 'root NAME: …' or 'class NAME'")
    }
    if line.take("in ") { return try readOlderNames(&line) }
    try readProperty(&line)
  }

  private mutating func readRoot(_ line: inout SnapshotLine) throws(SchemaSnapshotError) {
    guard let name = line.name(), line.take(": "), let fields = line.fields(), fields.count == 2 else {
      throw failure(
        .malformedText, found: "the line '\(line.text)'",
        expected: "a line of the form 'root NAME: Type | encoding'")
    }
    guard rootNames.insert(ExactName(name)).inserted else {
      throw failure(
        .duplicateName, found: "two roots with the name '\(name)'", expected: "distinct root names")
    }
    isInClass = false
    roots.append(SchemaSnapshot.Root(name: name, type: try type(fields[1])))
  }

  private mutating func readClass(_ line: inout SnapshotLine) throws(SchemaSnapshotError) {
    guard let entry = line.classEntry() else {
      throw failure(
        .malformedText, found: "the line '\(line.text)'",
        expected:
          "a line of the form 'class NAME: SUPERCLASS, keyed, version 1, was OLDER', in which each part after "
          + "NAME is optional")
    }
    guard !ColumnLayout.isReserved(entry.name),
      classNames.updateValue(classes.count, forKey: ExactName(entry.name)) == nil
    else {
      throw failure(
        .duplicateName,
        found: ColumnLayout.isReserved(entry.name)
          ? "a class with the reserved name '\(entry.name)'" : "two classes with the name '\(entry.name)'",
        expected: "distinct class names that are not reserved")
    }
    for name in entry.formerNames {
      guard formerNames.insert(ExactName(name)).inserted else {
        throw failure(
          .duplicateName, found: "two classes with the older name '\(name)'",
          expected: "distinct older names of classes")
      }
    }
    isInClass = true
    keys = [:]
    classes.append(entry)
    classLines.append(lineNumber)
  }

  private mutating func readProperty(_ line: inout SnapshotLine) throws(SchemaSnapshotError) {
    let expected = "a line of the form 'KEY: Type | attributes | encoding'"
    guard isInClass, let key = line.name(), line.take(": "), let fields = line.fields(),
      let words = fields.count == 3 ? SnapshotLine(fields[1]).propertyWords() : PropertyWords()
    else { throw failure(.malformedText, found: "the line '\(line.text)'", expected: expected) }
    let wasKeyed = keys.updateValue(words.isKeyed, forKey: ExactName(key))
    // A hand-written coder may use one key for values of several types.
    guard wasKeyed.map({ $0 && words.isKeyed }) ?? true else {
      throw failure(.duplicateName, found: "two properties with the key '\(key)'", expected: "distinct keys")
    }
    let type = try type(fields[fields.count - 1], isWeak: words.isWeak)
    classes[classes.count - 1].properties.append(
      SchemaSnapshot.Property(
        keys: [key] + words.olderKeys, type: type, absence: words.absence ?? .unknown,
        isReadOnly: words.isReadOnly, isWeak: words.isWeak, isKeyed: words.isKeyed, older: words.older))
  }

  private mutating func readOlderNames(_ line: inout SnapshotLine) throws(SchemaSnapshotError) {
    guard let type = line.name(), line.take(": "), let label = line.name(),
      let (names, conversions) = line.olderNames(), line.isAtEnd
    else {
      throw failure(
        .malformedText, found: "the line '\(line.text)'",
        expected: "a line of the form 'in TYPE: NAME was OLDER, OLDER' or 'in TYPE: NAME from OLDER + OLDER'")
    }
    let older = SchemaSnapshot.OlderNames(type: type, label: label, names: names, conversions: conversions)
    if isInClass {
      classes[classes.count - 1].olderNames.append(older)
    } else {
      roots[roots.count - 1].olderNames.append(older)
    }
  }

  /// Parses a type encoding. Throws an error if a column cannot contain the type.
  private func type(
    _ field: ArraySlice<UInt8>, isWeak: Bool = false
  ) throws(SchemaSnapshotError) -> TypeEncoding {
    let text = SchemaNotation.unescaped(field)
    do {
      let type = try TypeEncoding(parsing: text ?? "\\")
      var layout = ColumnLayout()
      try layout.append(type, isWeak: isWeak)
      return type
    } catch {
      throw failure(
        .malformedEncoding, found: "the type encoding '\(text ?? String(decoding: field, as: UTF8.self))'",
        expected: "the encoding of a type that a column can hold")
    }
  }

  private func failure(
    _ code: SchemaSnapshotError.Code, found: String, expected: String? = nil
  ) -> SchemaSnapshotError {
    let (start, restByteCount) = found.cut(toScalars: 200)
    return SchemaSnapshotError(
      code, found: start + (restByteCount > 0 ? "…" : ""), expected: expected, line: lineNumber)
  }

  // MARK: Hierarchy

  /// Returns the snapshot. Throws an error if a superclass is not among the classes, or if a class inherits
  /// from itself.
  mutating func finish() throws(SchemaSnapshotError) -> SchemaSnapshot {
    // The number of names of each class, including inherited names. 0 while the number is being computed.
    var counts = [Int?](repeating: nil, count: classes.count)
    var total = roots.reduce(0) { $0 + 1 + Self.nameCount($1.olderNames) }
    guard total <= Self.nameLimits.total else {
      throw failure(
        .limitExceeded, found: "\(total) roots and older names",
        expected: "at most \(Self.nameLimits.total) roots and older names")
    }
    for start in classes.indices {
      var path: [Int] = []
      var next: Int? = start
      while let index = next, counts[index] == nil {
        path.append(index)
        counts[index] = 0
        next = try superclass(of: index)
      }
      if let above = next, counts[above] == 0, let last = path.last {
        throw unknownSuperclass(of: last, isCircular: true)
      }
      var inherited = next.flatMap { counts[$0] } ?? 0
      for index in path.reversed() {
        inherited += Self.nameCount(classes[index])
        counts[index] = inherited
        total += inherited
        lineNumber = classLines[index]
        guard inherited <= Self.nameLimits.ofClass, total <= Self.nameLimits.total else {
          throw failure(
            .limitExceeded,
            found:
              "\(inherited) properties, superclasses and older names in one class, and \(total) in all classes",
            expected:
              "at most \(Self.nameLimits.ofClass) in one class, and \(Self.nameLimits.total) in all classes")
        }
      }
    }
    return SchemaSnapshot(roots: roots, classes: classes)
  }

  /// Returns the number of names that count toward the limits, without inherited names. The class itself
  /// counts as one name, because each class of the hierarchy costs as much time as a property.
  private static func nameCount(_ entry: SchemaSnapshot.Class) -> Int {
    let ofProperties = entry.properties.reduce(0) { count, property in
      property.older.reduce(count + property.keys.count) { $0 + $1.count }
    }
    return 1 + entry.formerNames.count + ofProperties + nameCount(entry.olderNames)
  }

  private static func nameCount(_ olderNames: [SchemaSnapshot.OlderNames]) -> Int {
    olderNames.reduce(0) { $0 + $1.names.count + $1.conversions.joined().count }
  }

  private mutating func superclass(of index: Int) throws(SchemaSnapshotError) -> Int? {
    guard let name = classes[index].superclass else { return nil }
    guard let found = classNames[ExactName(name)] else {
      throw unknownSuperclass(of: index, isCircular: false)
    }
    return found
  }

  private mutating func unknownSuperclass(of index: Int, isCircular: Bool) -> SchemaSnapshotError {
    lineNumber = classLines[index]
    return failure(
      .unknownSuperclass,
      found: "the superclass '\(classes[index].superclass ?? "")' of class '\(classes[index].name)'",
      expected: isCircular
        ? "a superclass that does not inherit from the class itself" : "a superclass that the snapshot lists")
  }
}
