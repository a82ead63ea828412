import Arc
import ArcTestSupport

// A private type with the name of a private type in another file.

@Archivable private final class Twin: TwinBase { var ofFileA = "A" }
@Archivable("TwinNamedA") private final class Named: TwinBase { var ofFileA = "A" }
@Archivable private struct TwinValue: TwinProtocol { var ofFileA = "A" }
@Archivable private final class Apart { var ofFileA = "A" }

/// Access to the private types of this file for the tests.
enum PrivateNamesA {
  static func twin() -> TwinBase { Twin() }
  static func named() -> TwinBase { Named() }
  static func value() -> any TwinProtocol { TwinValue() }
  static func apart() throws -> String {
    try reread(Apart(), as: Apart.self).ofFileA
  }
  static func text(_ value: TwinBase) -> String? { (value as? Named)?.ofFileA }
}
