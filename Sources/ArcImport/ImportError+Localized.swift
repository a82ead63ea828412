public import ArcForeign

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImportError: LocalizedError {
  /// The error as text: the problem in the file, and its location.
  public var errorDescription: String? { description }
}
