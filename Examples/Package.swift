// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where ARC_WARNINGS_AS_ERRORS is set, as CI does: examples show code without any.
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny")]
  + (Context.environment["ARC_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// The programs without tests, in the order of `README.md`; each has a folder of its name in `Sources`.
let programs = [
  "biology", "account", "weather-station", "author-and-book", "github-issue", "statuses", "loans",
  "two-servers", "news-feed", "feed-archive", "drawing-editor", "game-save", "git-graph", "api-dump",
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Arc", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .target(name: "Claims", swiftSettings: settings),
    // The first command of Arc's README builds package-graph, so these targets depend on nothing else.
    .target(
      name: "DebianPackageGraph",
      dependencies: [.product(name: "Arc", package: "Arc"), argumentParser],
      swiftSettings: settings),
    .executableTarget(
      name: "package-graph",
      // arcdump prints the archive. SwiftPM builds it while the macros are compiled, when one core would be
      // idle. It is not linked.
      dependencies: ["DebianPackageGraph", .product(name: "arcdump", package: "Arc"), argumentParser],
      swiftSettings: settings),
    .testTarget(
      name: "PackageGraphTests", dependencies: ["Claims", "DebianPackageGraph"], swiftSettings: settings),
  ]
    + programs.map { name in
      .executableTarget(
        name: name,
        dependencies: [
          "Claims",
          .product(name: "Arc", package: "Arc"),
          .product(name: "ArcArchive", package: "Arc"),
          .product(name: "ArcFoundation", package: "Arc"),
          .product(name: "ArcJSON", package: "Arc"),
          .product(name: "ArcModel", package: "Arc"),
          .product(name: "ArcRuntime", package: "Arc"),
          .product(name: "ArcTesting", package: "Arc"),
        ],
        swiftSettings: settings)
    },
  swiftLanguageModes: [.v6]
)
