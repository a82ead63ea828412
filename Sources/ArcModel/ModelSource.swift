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
  func document(limits: JSONLimits) throws -> JSONDocument
}

extension String: ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public func document(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(self, limits: limits, duplicateKeys: .last)
  }
}

extension [UInt8]: ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public func document(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(self, limits: limits, duplicateKeys: .last)
  }
}

extension JSONDocument: ModelSource {
  /// The document itself.
  public func document(limits: JSONLimits) -> JSONDocument { self }
}

extension JSONValue: ModelSource {
  /// The value as a text with its index.
  ///
  /// - Throws: `JSONError` for a value that is larger or deeper than allowed.
  public func document(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try JSONDocument(description, limits: limits)
  }
}

extension Data: ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public func document(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try [UInt8](self).document(limits: limits)
  }
}
