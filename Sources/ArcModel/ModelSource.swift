public import ArcJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a model can be read from: a `String`, its UTF-8 as bytes or `Data`, a document or value
/// that was read before, and with ArcFoundation a `[String: Any]`.
public protocol ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text, or why it cannot be made.
  func jsonDocument(limits: JSONLimits) throws -> JSONDocument
  /// The UTF-8 of a text that may be read without an index; nil for what has one, or is no text yet.
  func __utf8() -> [UInt8]?
}

extension ModelSource {
  /// Nil: it is read by its index.
  public func __utf8() -> [UInt8]? { nil }
}

extension String: ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public func jsonDocument(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(self, limits: limits, duplicateKeys: .last)
  }

  /// The text's UTF-8.
  public func __utf8() -> [UInt8]? { Array(utf8) }
}

extension [UInt8]: ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public func jsonDocument(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(self, limits: limits, duplicateKeys: .last)
  }

  /// The bytes.
  public func __utf8() -> [UInt8]? { self }
}

extension JSONDocument: ModelSource {
  /// The document itself.
  public func jsonDocument(limits: JSONLimits) -> JSONDocument { self }
}

extension JSONValue: ModelSource {
  /// The value as a text with its index.
  ///
  /// - Throws: `JSONError` for a value that is larger or deeper than allowed.
  public func jsonDocument(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(description, limits: limits)
  }
}

extension Data: ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public func jsonDocument(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try [UInt8](self).jsonDocument(limits: limits)
  }

  /// The bytes.
  public func __utf8() -> [UInt8]? { [UInt8](self) }
}
