public import ArcJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Errors of JSON in words for whoever reads `localizedDescription`: those of a programmer, who can read the
// text.

extension ModelReadingError: LocalizedError {
  /// The description of the error: all issues, with their locations in the text.
  public var errorDescription: String? { description }
}

extension ModelWritingError: LocalizedError {
  /// The description of the error: what is wrong, where, and the remedy.
  public var errorDescription: String? { description }
}

extension JSONError: LocalizedError {
  /// The description of the error: what is wrong with the text, and where.
  ///
  /// The conformance is in this module, because `ArcJSON` does not import Foundation.
  public var errorDescription: String? { description }
}
