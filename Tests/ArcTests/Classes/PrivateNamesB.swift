import Arc
import ArcTestSupport

// A private type with the name of a private type in another file.

@Archivable private final class Twin: TwinBase { var ofFileB = "B" }
@Archivable("TwinNamedB") private final class Named: TwinBase { var ofFileB = "B" }
@Archivable private struct TwinValue: TwinProtocol { var ofFileB = "B" }
@Archivable private final class Apart { var ofFileB = "B" }

/// Access to the private types of this file for the tests.
enum PrivateNamesB {
  static func twin() -> TwinBase { Twin() }
  static func named() -> TwinBase { Named() }
  static func value() -> any TwinProtocol { TwinValue() }
  static func apart() throws -> String {
    try reread(Apart(), as: Apart.self).ofFileB
  }
  static func text(_ value: TwinBase) -> String? { (value as? Named)?.ofFileB }
}
