// swift-tools-version: 6.2
import CompilerPluginSupport
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

let collections: [Target.Dependency] =
  ["BitCollections", "DequeModule", "HashTreeCollections", "HeapModule", "OrderedCollections"].map {
    .product(name: $0, package: "swift-collections", condition: .when(traits: ["Collections"]))
  } + [.product(name: "BigInt", package: "BigInt", condition: .when(traits: ["BigInt"]))]

let package = Package(
  name: "Arc",
  // Int128 and the Synchronization module set the floor.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2), .macCatalyst(.v18)],
  products: [
    .library(name: "Arc", targets: ["Arc"]),
    .library(name: "ArcArchive", targets: ["ArcArchive"]),
    .library(name: "ArcFoundation", targets: ["ArcFoundation"]),
    .library(name: "ArcCollections", targets: ["ArcCollections"]),
    .library(name: "ArcJSON", targets: ["ArcJSON"]),
    .library(name: "ArcModel", targets: ["ArcModel"]),
    .library(name: "ArcDataSets", targets: ["ArcDataSets"]),
    .library(name: "ArcImport", targets: ["ArcImport"]),
    .library(name: "ArcRuntime", targets: ["ArcRuntime"]),
    .library(name: "ArcTesting", targets: ["ArcTesting"]),
    .executable(name: "arcdump", targets: ["arcdump"]),
  ],
  // Off by default. SwiftPM fetches a package only where a trait needs it.
  traits: [
    .trait(name: "Collections", description: "ArcCollections has the types of swift-collections."),
    .trait(name: "BigInt", description: "ArcCollections has BigInt and BigUInt of attaswift/BigInt."),
    .trait(name: "SQLite", description: "arcdump knows databases of SQLite; needs libsqlite3-dev."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"700.0.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
  ],
  targets: [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["libz-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CArc"),
    // All that depends on the memory layout of Swift's runtime.
    .target(name: "ArcMemory", dependencies: ["ArcRuntime", "CArc"], swiftSettings: settings),
    .target(name: "ArcRuntime", swiftSettings: settings),
    // JSON without anything else: for arcdump, and for models.
    .target(name: "ArcJSON", swiftSettings: settings),
    .target(name: "ArcFormat", dependencies: ["ArcRuntime", "CZlib", "CArc"], swiftSettings: settings),
    // Files as data. Apart from ArcFormat, so that the engine cannot depend on it.
    .target(name: "ArcArchive", dependencies: ["ArcFormat", "ArcRuntime"], swiftSettings: settings),
    .target(
      name: "Arc", dependencies: ["ArcRuntime", "ArcFormat", "ArcArchive", "ArcMacros", "ArcMemory", "CArc"],
      swiftSettings: settings),
    // Apart from Arc, which does with FoundationEssentials where there is one: all of Foundation starts
    // slowly.
    .target(
      name: "ArcFoundation", dependencies: ["Arc", "ArcFormat", "ArcJSON", "ArcModel"],
      swiftSettings: settings),
    .target(
      name: "ArcCollections", dependencies: ["Arc", "ArcFormat"] + collections, swiftSettings: settings),
    // Apart from Arc: few programs need it.
    .target(
      name: "ArcDataSets", dependencies: ["Arc", "ArcArchive", "ArcFormat", "ArcRuntime"],
      swiftSettings: settings),
    .target(
      name: "ArcModel",
      dependencies: [
        "Arc", "ArcArchive", "ArcFormat", "ArcJSON", "ArcMacros", "ArcMemory", "ArcRuntime",
      ],
      swiftSettings: settings),
    // For the tests of programs: what no program needs while it runs.
    .target(name: "ArcTesting", dependencies: ["Arc", "ArcFormat", "ArcRuntime"], swiftSettings: settings),
    // Files of other formats. Apart from ArcImport, so that arcdump needs neither Arc nor the macros.
    .target(
      name: "ArcForeign",
      dependencies: [
        "ArcArchive", "ArcFormat", "ArcJSON", "ArcRuntime",
        .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
      ],
      swiftSettings: settings),
    .target(
      name: "ArcImport", dependencies: ["Arc", "ArcArchive", "ArcForeign", "ArcFormat", "ArcRuntime"],
      swiftSettings: settings),
    .macro(
      name: "ArcMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .target(
      name: "ArcInspection",
      dependencies: [
        "ArcArchive", "ArcForeign", "ArcFormat", "ArcJSON", "ArcRuntime",
        .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The page of `arcdump export --format html`, without Foundation and its bundles.
      resources: [.embedInCode("Export/Page")],
      swiftSettings: settings),
    .executableTarget(
      name: "arcdump",
      dependencies: ["ArcInspection", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: settings),
    // What several test targets and the fuzzers share.
    .target(
      name: "ArcTestSupport",
      dependencies: [
        "Arc", "ArcArchive", "ArcForeign", "ArcFormat", "ArcJSON", "ArcModel", "ArcRuntime", "CZlib",
      ],
      path: "Tests/ArcTestSupport", swiftSettings: settings),
    .testTarget(
      name: "ArcRuntimeTests", dependencies: ["ArcRuntime", "ArcTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ArcMemoryTests", dependencies: ["ArcMemory", "ArcTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ArcModelTests", dependencies: ["Arc", "ArcJSON", "ArcModel", "ArcTestSupport"],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")] + strictWarnings),
    .testTarget(name: "ArcJSONTests", dependencies: ["ArcJSON"], swiftSettings: settings),
    .testTarget(
      name: "ArcFormatTests", dependencies: ["ArcArchive", "ArcFormat", "ArcRuntime", "ArcTestSupport"],
      swiftSettings: settings),
    // Without strict memory safety, as a user's own target: what the macros expand to must compile in both.
    .testTarget(
      name: "ArcTests", dependencies: ["Arc", "ArcFoundation", "ArcMemory", "ArcTestSupport", "ArcTesting"],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")] + strictWarnings),
    // The matrix of changes between releases. Apart from ArcTests, whose many files would be compiled with
    // it.
    .testTarget(
      name: "ArcReleaseTests",
      dependencies: ["Arc", "ArcArchive", "ArcDataSets", "ArcFormat", "ArcJSON", "ArcTestSupport"],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")] + strictWarnings),
    .testTarget(
      name: "ArcDataSetsTests",
      dependencies: ["Arc", "ArcArchive", "ArcDataSets", "ArcFormat", "ArcTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ArcFoundationTests",
      dependencies: ["Arc", "ArcFoundation", "ArcFormat", "ArcJSON", "ArcModel", "ArcTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ArcCollectionsTests",
      dependencies: ["Arc", "ArcCollections", "ArcFormat", "ArcTestSupport", "ArcTesting"] + collections,
      swiftSettings: settings),
    .testTarget(
      name: "ArcImportTests",
      dependencies: [
        "Arc", "ArcArchive", "ArcForeign", "ArcFormat", "ArcFoundation", "ArcImport", "ArcInspection",
        "ArcTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FixtureTests",
      dependencies: [
        "Arc", "ArcDataSets", "ArcFoundation", "ArcImport", "ArcInspection", "ArcJSON", "ArcModel",
        "ArcTestSupport", "ArcTesting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ArcMacrosTests",
      dependencies: [
        "ArcMacros",
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosTestSupport", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ArcdumpTests",
      dependencies: [
        "ArcArchive", "ArcForeign", "ArcInspection", "ArcFormat", "ArcRuntime", "ArcTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // Programs of users, compiled by the tests themselves.
    .testTarget(
      name: "CompilerTests", dependencies: ["Arc", "ArcImport", "ArcModel", "ArcTestSupport", "ArcTesting"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// With other traits all is compiled again: CI then needs the tests of what is behind traits alone.
if Context.environment["ARC_TRAIT_TESTS_ONLY"] != nil {
  let behindTraits = ["ArcCollectionsTests", "ArcdumpTests"]
  package.targets.removeAll { $0.type == .test && !behindTraits.contains($0.name) }
}
