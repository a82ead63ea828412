public import ArcForeign

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImportError: LocalizedError {
  /// The description of the error: what is wrong with the file, and where.
  public var errorDescription: String? { description }
}
