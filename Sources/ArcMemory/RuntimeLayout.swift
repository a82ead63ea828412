#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The switch for the assumptions of ArcMemory about the memory layout of Swift's runtime.
///
/// Each assumption is tested before its first use. If the test fails or the switch is off, the callers use a
/// general method with the same result. No assumption determines the content of an archive.
/// `.github/RUNTIME_LAYOUT.md` lists the assumptions.
@usableFromInline package enum RuntimeLayout {
  /// Whether the assumptions may be used. The environment variable `ARC_RUNTIME_LAYOUT=off` disables all
  /// assumptions, for example to determine whether one of them causes an error.
  package static let isTrusted = ProcessInfo.processInfo.environment["ARC_RUNTIME_LAYOUT"] != "off"
}
