import ArcTestSupport
import Foundation
import XCTest

/// The compiler that built the tests, for programs of users: what it says of them, and what they print.
struct Compiler {
  /// What a program that ran or was compiled left behind.
  struct Outcome {
    let status: Int32
    let output: String
  }

  /// Flags beside those that a package with tools version 6 has.
  var flags: [String] = []

  /// What a user of a new Xcode project gets.
  static let mainActorByDefault = Compiler(flags: [
    "-default-isolation", "MainActor", "-enable-upcoming-feature", "InferIsolatedConformances",
  ])

  /// The folder with the products of the build, in which the test bundle is.
  private static let products: URL = {
    let program = URL(fileURLWithPath: CommandLine.arguments[0])
    let bundle = program.pathComponents.lastIndex { $0.hasSuffix(".xctest") }
    return bundle.map { place in
      (place..<program.pathComponents.count).reduce(program) { url, _ in url.deletingLastPathComponent() }
    } ?? program.deletingLastPathComponent()
  }()

  private static let sources = Repository.root.appendingPathComponent("Sources")

  private var arguments: [String] {
    let maps = ["CZlib/module.modulemap", "CArc/include/module.modulemap"].flatMap {
      ["-Xcc", "-fmodule-map-file=\(Self.sources.appendingPathComponent($0).path)"]
    }
    return [
      "swiftc", "-swift-version", "6", "-I", Self.products.appendingPathComponent("Modules").path,
      "-load-plugin-executable",
      "\(Self.products.appendingPathComponent("ArcMacros-tool").path)#ArcMacros",
    ] + maps + flags
  }

  /// What the compiler says of a program: `3: error: …` for each diagnostic of the source itself, notes left
  /// out.
  func diagnostics(of source: String) throws -> [String] {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("main.swift")
      try source.write(to: file, atomically: true, encoding: .utf8)
      return try diagnostics(of: [file], in: folder).map(\.text)
    }
  }

  /// What the compiler says of a program of several files, with the name of the file in front, and of a
  /// module that it imports, made of other files.
  func diagnostics(of sources: [String: String], importing module: (name: String, files: [URL])) throws
    -> [String]
  {
    try withTemporaryFolder { folder in
      let files = try sources.map { name, source in
        let file = folder.appendingPathComponent(name)
        try source.write(to: file, atomically: true, encoding: .utf8)
        return file
      }
      let made = folder.appendingPathComponent("\(module.name).swiftmodule").path
      let goal = ["-parse-as-library", "-emit-module", "-module-name", module.name, "-o", made]
      let result = try launch(arguments + goal + module.files.map(\.path), in: folder)
      guard result.status == 0 else { return [result.output] }
      return try diagnostics(of: files, in: folder).map { "\($0.file):\($0.text)" }
    }
  }

  private func diagnostics(of files: [URL], in folder: URL) throws -> [(file: String, text: String)] {
    let isLibrary = !files.contains { $0.lastPathComponent == "main.swift" }
    let goal = ["-typecheck", "-I", folder.path] + (isLibrary ? ["-parse-as-library"] : [])
    let result = try launch(arguments + goal + files.map(\.path), in: folder)
    var found: [(file: String, text: String)] = []
    for line in result.output.split(separator: "\n") {
      guard let file = files.first(where: { line.hasPrefix($0.path + ":") }) else { continue }
      let parts = line.dropFirst(file.path.count + 1).split(separator: ":", maxSplits: 2)
      guard parts.count == 3, !parts[2].hasPrefix(" note") else { continue }
      // The group of the diagnostic, or the macro that it comes from.
      let text = parts[2].components(separatedBy: " [#")[0].components(separatedBy: " (from macro")[0]
      let diagnostic = (file.lastPathComponent, "\(parts[0]):\(text)")
      if !found.contains(where: { $0 == diagnostic }) { found.append(diagnostic) }
    }
    if result.status != 0, found.isEmpty { found = [("", result.output)] }
    return found
  }

  /// All errors of a program: `3: …` for one at line 3, `expansion: …` for one in what a macro wrote. Also
  /// those that the compiler finds only when it generates code.
  func errors(of source: String) throws -> [String] {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("main.swift")
      try source.write(to: file, atomically: true, encoding: .utf8)
      let goal = ["-module-name", "Program", "-emit-sil", "-o", "/dev/null", file.path]
      let result = try launch(arguments + goal, in: folder)
      let pattern = try Regex(
        #"^(.+?):(\d+):\d+: error: (.*)$"#, as: (Substring, Substring, Substring, Substring).self)
      let found = result.output.split(separator: "\n").compactMap { line -> String? in
        guard let match = line.wholeMatch(of: pattern) else { return nil }
        let place = match.1 == file.path ? match.2 : "expansion"
        let text = String(match.3).components(separatedBy: " [#")[0].components(separatedBy: " (from macro")[
          0]
        return "\(place): \(text)"
      }
      return result.status != 0 && found.isEmpty ? [result.output] : found
    }
  }

  /// The names of a target's source files.
  private static func sources(of target: String) throws -> Set<String> {
    let folder = sources.appendingPathComponent(target)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Set(paths.map { ($0 as NSString).lastPathComponent })
  }

  /// Compiles modules, each for those behind it, and a program out of the last one; runs that, and returns
  /// what it prints.
  func run(_ modules: KeyValuePairs<String, String>, environment: [String: String] = [:]) throws -> Outcome {
    try withTemporaryFolder { folder in
      let targets = ["Arc", "ArcArchive", "ArcFormat", "ArcMemory", "ArcRuntime", "CArc"]
      let objects = try targets.flatMap { target in
        let build = Self.products.appendingPathComponent("\(target).build")
        let sources = try Self.sources(of: target)
        // Objects of sources that are no longer there stay in the folder.
        return try FileManager.default.contentsOfDirectory(atPath: build.path)
          .filter { $0.hasSuffix(".o") && sources.contains(String($0.dropLast(2))) }
          .map { build.appendingPathComponent($0).path }
      }
      var made: [String] = []
      for (position, module) in modules.enumerated() {
        let isProgram = position == modules.count - 1
        let file = folder.appendingPathComponent(isProgram ? "main.swift" : "\(module.key).swift")
        try module.value.write(to: file, atomically: true, encoding: .utf8)
        let goal =
          isProgram
          ? made + objects + Self.linkerFlags + ["-lz", "-o", "program"]
          : ["-parse-as-library", "-emit-module", "-emit-object", "-o", "\(module.key).o"]
        let result = try launch(
          arguments + ["-module-name", module.key, "-I", folder.path, file.path] + goal, in: folder)
        guard result.status == 0 else { return result }
        made.append("\(module.key).o")
      }
      return try launch([folder.appendingPathComponent("program").path], in: folder, environment: environment)
    }
  }

  /// The fastest linker of the toolchain: the objects of all modules are linked for each program.
  private static var linkerFlags: [String] {
    #if os(Linux)
      ["-use-ld=lld"]
    #else
      []
    #endif
  }

  private func launch(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }
}
