// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Arc", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
  ],
  targets: [
    // zlib and malloc_trim. Arc's own CZlib is no product.
    .systemLibrary(
      name: "CBenchmarkSystem", pkgConfig: "zlib", providers: [.apt(["libz-dev"]), .brew(["zlib"])]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CBenchmarkSystem",
        .product(name: "Arc", package: "Arc"),
        .product(name: "ArcJSON", package: "Arc"),
        .product(name: "ArcModel", package: "Arc"),
        .product(name: "ArcRuntime", package: "Arc"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
