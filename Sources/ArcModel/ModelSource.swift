public import ArcJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A source of JSON text for a ``ModelReader``.
///
/// These types are sources: `String`, `JSONDocument`, `JSONValue`, and `[UInt8]` and `Data` with UTF-8. With
/// ArcFoundation, `[String: Any]` is also a source.
public protocol ModelSource {
  /// Returns the JSON text with an index of its values.
  ///
  /// - Parameter limits: the maximum size and nesting depth of the text.
  /// - Returns: the document.
  /// - Throws: `JSONError` with the first error in the text, or an error if the source cannot be converted to
  ///   JSON.
  func jsonDocument(limits: JSONLimits) throws -> JSONDocument
  /// Returns the UTF-8 bytes of the source, which a reader can read without an index.
  ///
  /// Nil if the source is not text, or already has an index.
  func __utf8() -> [UInt8]?
}

extension ModelSource {
  /// Returns nil. A reader then calls ``jsonDocument(limits:)``.
  public func __utf8() -> [UInt8]? { nil }
}

extension String: ModelSource {
  /// Returns the JSON text with an index of its values.
  ///
  /// - Parameter limits: the maximum size and nesting depth of the text.
  /// - Returns: the document.
  /// - Throws: `JSONError` with the first error in the text.
  public func jsonDocument(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(self, limits: limits, duplicateKeys: .last)
  }

  /// Returns the UTF-8 bytes of the string.
  public func __utf8() -> [UInt8]? { Array(utf8) }
}

extension [UInt8]: ModelSource {
  /// Returns the JSON text with an index of its values.
  ///
  /// - Parameter limits: the maximum size and nesting depth of the text.
  /// - Returns: the document.
  /// - Throws: `JSONError` with the first error in the text.
  public func jsonDocument(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(self, limits: limits, duplicateKeys: .last)
  }

  /// Returns the UTF-8 bytes of the JSON text.
  public func __utf8() -> [UInt8]? { self }
}

extension JSONDocument: ModelSource {
  /// Returns this document. The limits have no effect, because the text is already parsed.
  public func jsonDocument(limits: JSONLimits) -> JSONDocument { self }
}

extension JSONValue: ModelSource {
  /// Converts the value to JSON text. Returns the text with an index of its values.
  ///
  /// - Parameter limits: the maximum size and nesting depth of the text.
  /// - Returns: the document.
  /// - Throws: `JSONError` if the value is larger or nested more deeply than `limits` allows.
  public func jsonDocument(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(description, limits: limits)
  }
}

extension Data: ModelSource {
  /// Returns the JSON text with an index of its values.
  ///
  /// - Parameter limits: the maximum size and nesting depth of the text.
  /// - Returns: the document.
  /// - Throws: `JSONError` with the first error in the text.
  public func jsonDocument(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try [UInt8](self).jsonDocument(limits: limits)
  }

  /// Returns the UTF-8 bytes of the JSON text.
  public func __utf8() -> [UInt8]? { [UInt8](self) }
}
