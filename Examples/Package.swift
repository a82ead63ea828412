// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where ARC_WARNINGS_AS_ERRORS is set, as CI does: examples show code without any.
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny")]
  + (Context.environment["ARC_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// The programs, in the order of `README.md`; each has a folder of its name in `Sources`.
let programs = [
  "biology", "account", "weather-station", "author-and-book", "github-issue", "statuses", "loans",
  "two-servers", "news-feed", "feed-archive", "drawing-editor", "game-save", "git-graph", "api-dump",
]

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Arc", path: "..")],
  targets: [.target(name: "Claims", swiftSettings: settings)]
    + programs.map { name in
      .executableTarget(
        name: name,
        dependencies: [
          "Claims",
          .product(name: "Arc", package: "Arc"),
          .product(name: "ArcFormat", package: "Arc"),
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
