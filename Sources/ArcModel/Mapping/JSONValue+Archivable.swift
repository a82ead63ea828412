public import Arc
public import ArcJSON

// The type `JSONValue` for properties that accept any JSON.

/// The archived form of a `JSONValue`: its JSON text.
@Archivable("JSON") public struct ArchivedJSON {
  /// The JSON text.
  let text: String
}

/// Allows properties of type `JSONValue`, which accept any JSON value and write the value unchanged.
///
/// A `null` becomes `JSONValue.null`, or nil if the property is optional. Archives contain the value's JSON
/// text.
extension JSONValue: ArchivableByConversion {
  /// The JSON text of the value.
  public var archivedForm: ArchivedJSON { ArchivedJSON(text: description) }

  /// Parses the JSON text.
  ///
  /// - Parameter archivedForm: the archived form, which contains the JSON text.
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the text is not valid JSON.
  public init(archivedForm: ArchivedJSON) throws {
    let limits = JSONLimits(depth: JSONValue.maximumDepth)
    do { try self.init(parsing: archivedForm.text, limits: limits) } catch {
      throw ArchiveError(
        .valueOutOfRange, found: "a text that is not valid JSON (\(error))",
        expected: "a JSON text of at most \(JSONValue.maximumDepth) nested levels")
    }
  }
}
