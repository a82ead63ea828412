import Arc
import ArcJSON
import ArcModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Claims that must hold for any bytes that are read as models. A fuzzer checks them, too.
///
/// The first byte, a letter, selects the type as which the other bytes are read.
package enum ModelClaims {
  private static let limits = JSONLimits(depth: 40)
  // The readers are reused, because creating a reader for each input would reduce the number of inputs that
  // the fuzzer tests.
  private static let strictReader = ModelReader(limits: limits)
  private static let lenientReader = ModelReader(.lenient, limits: limits)
  private static let deepReader = ModelReader(limits: JSONLimits(depth: 1000))
  private static let deepLenientReader = ModelReader(.lenient, limits: JSONLimits(depth: 1000))
  private static let sortingWriter = ModelWriter(sortsKeys: true, maximumDepth: 1000)
  private static let prettyWriter = ModelWriter(
    isPretty: true, nulls: .written, escaping: .ascii, maximumDepth: 1000)

  /// Returns the first claim that does not hold. Nil if all hold.
  package static func violation(by bytes: [UInt8]) -> String? {
    guard let letter = bytes.first else { return nil }
    let text = Array(bytes.dropFirst())
    ClaimedLife.hasSeenHalf = false
    let count = ClaimedLife.count
    if let claim = violation(by: text, as: letter) { return claim }
    if ClaimedLife.count != count { return "\(ClaimedLife.count - count) objects are left" }
    return ClaimedLife.hasSeenHalf ? "an object was told that it was read before what it refers to" : nil
  }

  private static func violation(by text: [UInt8], as letter: UInt8) -> String? {
    switch Character(Unicode.Scalar(letter)) {
    case "a": violation(by: text, updating: ClaimedWorker(id: 1, desk: "d"))
    case "b": violation(by: text, updating: ClaimedScalars()) ?? alwaysRead(ClaimedScalars.self, text)
    case "c": violation(by: text, updating: ClaimedDates(), ModelEquality.dates)
    case "d": violation(by: text, updating: ClaimedCollections()) ?? alwaysRead(ClaimedCollections.self, text)
    case "e":
      violation(by: text, updating: ClaimedEnumerations()) ?? alwaysRead(ClaimedEnumerations.self, text)
    case "f": violation(by: text, updating: ClaimedMapped())
    case "g": violation(by: text, updating: figure(), ModelEquality.files)
    case "h": violation(by: text, updating: draft(), ModelEquality.files)
    case "i": violation(by: text, updating: ClaimedLooseOwner()) { _, _ in true }
    case "j": JSONClaims.violation(by: text)
    case "k": violation(by: text, [ClaimedPerson?].self)
    case "l": violation(by: text, ClaimedShape.self)
    case "m": violation(by: text, [String: ClaimedFigure].self)
    case "o": violation(by: text, [ClaimedParcel].self)
    default: violation(by: text, [ClaimedSpot: Set<ClaimedShape>].self)
    }
  }

  /// Returns the error with which a strict reader refuses the bytes. Nil if the reader accepts them.
  package static func refusal(of bytes: [UInt8]) -> (any Error)? {
    let types: [String: any ArchivableValue.Type] = [
      "a": ClaimedWorker.self, "b": ClaimedScalars.self, "c": ClaimedDates.self, "d": ClaimedCollections.self,
      "e": ClaimedEnumerations.self, "f": ClaimedMapped.self, "g": ClaimedFigure.self, "h": ClaimedDraft.self,
      "i": ClaimedLooseOwner.self, "j": [String].self, "k": [ClaimedPerson?].self, "l": ClaimedShape.self,
      "m": [String: ClaimedFigure].self, "o": [ClaimedParcel].self,
      "n": [ClaimedSpot: Set<ClaimedShape>].self,
    ]
    guard let letter = bytes.first, let type = types[String(Unicode.Scalar(letter))] else {
      return LetterError.unknown
    }
    let text = Array(bytes.dropFirst())
    return refusal(of: {
      if letter == UInt8(ascii: "j") { return try JSONDocument(text, duplicateKeys: .last) }
      return try read(text, as: type)
    })
  }

  private enum LetterError: Error { case unknown }

  private static func refusal(of reading: () throws -> Any) -> (any Error)? {
    do { _ = try reading() } catch { return error }
    return nil
  }

  private static func read<Root: ArchivableValue>(_ text: [UInt8], as type: Root.Type) throws -> Any {
    try strictReader.read(type, from: text)
  }

  private static func figure() -> ClaimedFigure {
    let figure = ClaimedFigure()
    figure.parts = [ClaimedFigure(), ClaimedDisc()]
    for part in figure.parts { part.isRead = true }
    return figure
  }

  private static func draft() -> ClaimedDraft {
    let draft = ClaimedDraft(price: 1)
    draft.next = ClaimedDisc()
    return draft
  }

  // MARK: Reading

  /// Checks that strict reading throws a documented error and releases all objects, or returns the same value
  /// as lenient reading without issues. In the second case, the value must be written as JSON text that is
  /// read as the same value.
  private static func violation<Root: ArchivableValue>(
    by text: [UInt8], _ type: Root.Type, _ comparison: ((Root, Root) throws -> Bool)? = nil
  ) -> String? {
    let areEqual = comparison ?? { try ModelEquality.files($0, $1) }
    let isJSON = (try? JSONDocument(text, limits: limits, duplicateKeys: .last)) != nil
    let lenient = Result { try lenientReader.readWithIssues(type, from: text) }
    switch lenient {
    case .success(let read): if let claim = violation(in: read.issues, text) { return claim }
    case .failure(let error): if let claim = violation(in: error, isJSON: isJSON, text) { return claim }
    }
    // A document is read by its index. Bytes may be read without an index.
    let indexed = Result {
      try strictReader.read(type, from: JSONDocument(text, limits: limits, duplicateKeys: .last))
    }
    let root: Root
    do { root = try strictReader.read(type, from: text) } catch {
      if case .success = indexed { return "a text is not read that is read by its index: \(error)" }
      return violation(in: error, isJSON: isJSON, text)
    }
    do {
      guard try areEqual(root, indexed.get()) else { return "by its index a text is read as something else" }
    } catch { return "a text is not read by its index that is read without one: \(error)" }
    do {
      let other = try lenient.get()
      guard other.issues.isEmpty else { return "a lenient reading has issues: \(other.issues)" }
      guard try areEqual(root, other.value) else { return "a lenient reading gives something else" }
    } catch { return "a lenient reading fails where a strict one does not: \(error)" }
    return violation(inWriting: root, areEqual)
  }

  private static func violation<Root: ArchivableValue>(
    inWriting root: Root, _ areEqual: (Root, Root) throws -> Bool
  ) -> String? {
    do {
      let once = try sortingWriter.text(of: root)
      let read: Root
      do { read = try deepReader.read(Root.self, from: once) } catch {
        return "what was written is not read again: \(once): \(error)"
      }
      guard try areEqual(root, read) else { return "what was written is read as something else: \(once)" }
      // Only some values are written in this format, because it doubles the time.
      guard once.utf8.reduce(0, ^) & 3 == 0 else { return nil }
      let pretty = try prettyWriter.text(of: read)
      let third = try deepLenientReader.readWithIssues(Root.self, from: pretty)
      guard third.issues.isEmpty, try areEqual(root, third.value) else {
        return "what was written on lines is read as something else: \(pretty): \(third.issues)"
      }
      return nil
    } catch { return "not written: \(error)" }
  }

  /// Checks that an error has a documented type and states its location.
  private static func violation(in error: any Error, isJSON: Bool, _ text: [UInt8]) -> String? {
    switch error {
    case is JSONError: isJSON ? "an error about JSON in what is JSON: \(error)" : nil
    case let error as ModelReadingError:
      error.issues.isEmpty
        ? "an error without issues"
        : isJSON ? violation(in: error.issues, text) : "an error about a model in what is no JSON"
    // A hook of the models throws this error.
    case is ClaimedRefusal: isJSON ? nil : "a hook was called for what is no JSON"
    default: "an error of another kind: \(type(of: error)) \(error)"
    }
  }

  private static func violation(in issues: [ModelIssue], _ text: [UInt8]) -> String? {
    var last = 0
    for issue in issues {
      guard 0...text.count ~= issue.byteOffset, issue.line >= 1, issue.column >= 1 else {
        return "an issue outside of the text: \(issue)"
      }
      guard issue.byteOffset >= last else { return "issues in another order than the text: \(issues)" }
      last = issue.byteOffset
      if !issue.path.contains("…"), JSONPath(issue.path) == nil { return "no path: \(issue.path)" }
    }
    return nil
  }

  /// Checks that a lenient reader returns an object for any JSON object, if the class requires no member.
  private static func alwaysRead<Root: ArchivableValue>(_ type: Root.Type, _ text: [UInt8]) -> String? {
    guard let document = try? JSONDocument(text, limits: limits, duplicateKeys: .last),
      document.root.kind == .object
    else { return nil }
    do {
      _ = try lenientReader.read(type, from: document)
      return nil
    } catch { return "a lenient reader gives up: \(error)" }
  }

  // MARK: Updating

  /// Checks the claims about reading. Also checks that an update of an object uses a text completely, or does
  /// not change the object.
  private static func violation<Root: Archivable>(
    by text: [UInt8], updating object: Root, _ areEqual: ((Root, Root) throws -> Bool)? = nil
  ) -> String? {
    if let claim = violation(by: text, Root.self, areEqual) { return claim }
    // Only every other text updates an object, because it doubles the time.
    guard text.reduce(0, ^) & 1 == 0 else { return nil }
    do {
      let before = try ModelEquality.file(object)
      do { try strictReader.update(object, from: text) } catch {
        guard error is JSONError || error is ModelReadingError || error is ClaimedRefusal else {
          return "an error of another kind: \(error)"
        }
        guard try ModelEquality.file(object) == before else { return "changed by an update that failed" }
      }
      let between = try ModelEquality.file(object)
      do { try lenientReader.update(object, from: text) } catch {
        guard error is JSONError || error is ModelReadingError || error is ClaimedRefusal else {
          return "an error of another kind: \(error)"
        }
        guard try ModelEquality.file(object) == between else { return "changed by an update that failed" }
      }
      _ = try ModelEquality.file(object)
      return nil
    } catch { return "not archived: \(error)" }
  }
}

/// Compares models.
private enum ModelEquality {
  private static let archiver = Archiver(isCanonical: true)

  static func file(_ root: some ArchivableValue) throws -> [UInt8] {
    try archiver.archive(root)
  }

  static func files<Root: ArchivableValue>(_ one: Root, _ other: Root) throws -> Bool {
    try file(one) == file(other)
  }

  /// Dates as seconds since 1970 are written with a precision of about a microsecond.
  static func dates(_ one: ClaimedDates, _ other: ClaimedDates) -> Bool {
    one.all.count == other.all.count
      && zip(one.all, other.all).allSatisfy { one, other in
        guard let one, let other else { return one == nil && other == nil }
        let (left, right) = (one.timeIntervalSinceReferenceDate, other.timeIntervalSinceReferenceDate)
        return abs(left - right) <= max(1e-6, abs(left) * 1e-15)
      }
  }
}
