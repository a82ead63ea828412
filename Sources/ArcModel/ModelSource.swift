public import ArcJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a model can be read from: a `String`, its UTF-8 as bytes or `Data`, or a document
/// that was read before.
public protocol ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text.
  func document(limits: JSONLimits) throws(JSONError) -> JSONDocument
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

extension Data: ModelSource {
  /// The text with its index.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public func document(limits: JSONLimits) throws(JSONError) -> JSONDocument {
    try [UInt8](self).document(limits: limits)
  }
}
