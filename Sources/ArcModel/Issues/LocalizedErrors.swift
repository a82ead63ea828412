public import ArcJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Errors of JSON in words for whoever reads `localizedDescription`: those of a programmer, who can read the
// text.

extension ModelReadingError: LocalizedError {
  /// The description: all issues, with their places in the text.
  public var errorDescription: String? { description }
}

extension ModelWritingError: LocalizedError {
  /// The description: what is wrong where, and what to do about it.
  public var errorDescription: String? { description }
}

extension JSONError: LocalizedError {
  /// The description: what is wrong with the text, and where. The conformance is here, since `ArcJSON` needs
  /// no Foundation.
  public var errorDescription: String? { description }
}
