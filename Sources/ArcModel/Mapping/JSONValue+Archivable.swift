public import Arc
public import ArcJSON

// JSON as a property: for what a model takes as it is, whatever it is.

/// A JSON value as archives have it: its text.
@Archivable("JSON") public struct ArchivedJSON {
  /// The JSON text.
  let text: String
}

/// A property of type `JSONValue` takes any value of a text as it is, `null` too unless it is optional, and
/// writes it as it is. Archives have its text.
extension JSONValue: ArchivableByConversion {
  /// The text, as it is archived.
  public var archivedForm: ArchivedJSON { ArchivedJSON(text: description) }

  /// Reads the text.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` for what is no JSON.
  public init(archivedForm: ArchivedJSON) throws {
    let limits = JSONLimits(depth: JSONValue.maximumDepth)
    do { try self.init(parsing: archivedForm.text, limits: limits) } catch {
      throw ArchiveError(
        .valueOutOfRange, found: "a text that is no JSON: \(error)",
        expected: "JSON of at most "
          + "\(JSONValue.maximumDepth) levels")
    }
  }
}
