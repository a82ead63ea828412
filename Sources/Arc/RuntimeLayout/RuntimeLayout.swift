#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What Arc assumes of how Swift's runtime lays out objects, arrays and metadata, to be faster.
///
/// Each assumption has a file in this folder, is tried before it is used, and can be done without. None
/// decides what is in an archive. `StoredField` alone is no assumption: the runtime itself describes fields,
/// to mirrors, so that it is asked with these assumptions turned off too.
@usableFromInline enum RuntimeLayout {
  /// Whether the assumptions are used. `ARC_RUNTIME_LAYOUT=off` in the environment turns them off, to find
  /// out in a debug run whether one of them causes an error.
  static let isTrusted = ProcessInfo.processInfo.environment["ARC_RUNTIME_LAYOUT"] != "off"
}
