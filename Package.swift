// swift-tools-version: 6.2
import PackageDescription

// Arc's own targets treat warnings as errors where ARC_WARNINGS_AS_ERRORS is set (CI does); a package that
// depends on Arc must not fail because a newer compiler warns.
let strictWarnings: [SwiftSetting] =
  Context.environment["ARC_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ] + strictWarnings

let package = Package(
  name: "Arc",
  // Int128 and the Synchronization module set the floor.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2), .macCatalyst(.v18)],
  products: [
    .library(name: "ArcFormat", targets: ["ArcFormat"]),
    .library(name: "ArcRuntime", targets: ["ArcRuntime"]),
    .executable(name: "arcdump", targets: ["arcdump"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["libz-dev"]), .brew(["zlib"])]),
    .target(name: "ArcRuntime", swiftSettings: settings),
    .target(name: "ArcFormat", dependencies: ["ArcRuntime", "CZlib"], swiftSettings: settings),
    .target(
      name: "ArcInspection",
      dependencies: [
        "ArcFormat", "ArcRuntime", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "arcdump",
      dependencies: ["ArcInspection", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: settings),
    .testTarget(name: "ArcRuntimeTests", dependencies: ["ArcRuntime"], swiftSettings: settings),
    .testTarget(name: "ArcFormatTests", dependencies: ["ArcFormat", "ArcRuntime"], swiftSettings: settings),
    .testTarget(
      name: "ArcdumpTests",
      dependencies: [
        "ArcInspection", "ArcFormat", "ArcRuntime",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
