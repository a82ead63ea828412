public import ArcJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Descriptions of JSON errors for `localizedDescription`. The readers of these errors are programmers, who
// can look at the text.

extension ModelReadingError: LocalizedError {
  /// The error as text: each issue, with its location in the JSON text.
  public var errorDescription: String? { description }
}

extension ModelWritingError: LocalizedError {
  /// The error as text: the problem, its location, and the remedy.
  public var errorDescription: String? { description }
}

extension JSONError: LocalizedError {
  /// The error as text: the problem, and its location in the JSON text.
  ///
  /// The conformance to `LocalizedError` is in this module, because `ArcJSON` does not import Foundation.
  public var errorDescription: String? { description }
}
