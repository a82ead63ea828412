import ArcTestSupport
import Foundation
import XCTest

/// The compiler that built the tests. Tests compile programs with it, and compare its diagnostics and the
/// output of the programs.
struct Compiler {
  /// The exit status and output of a process.
  struct Outcome {
    let status: Int32
    let output: String
  }

  /// Flags in addition to the flags of a package with tools version 6.
  var flags: [String] = []

  /// The flags of a new Xcode project.
  static let mainActorByDefault = Compiler(flags: [
    "-default-isolation", "MainActor", "-enable-upcoming-feature", "InferIsolatedConformances",
  ])

  /// The folder with the products of the build, which contains the test bundle.
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

  /// Returns the compiler's diagnostics for a program without notes, such as `3: error: …` for a diagnostic
  /// at line 3 of the source.
  func diagnostics(of source: String) throws -> [String] {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("main.swift")
      try source.write(to: file, atomically: true, encoding: .utf8)
      return try diagnostics(of: [file], in: folder).map(\.text)
    }
  }

  /// Returns the compiler's diagnostics for a program of several files and a module that it imports, which
  /// consists of other files. Each diagnostic begins with the name of its file.
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
      // The text ends before the group of the diagnostic, or before the name of the macro that emitted it.
      let text = parts[2].components(separatedBy: " [#")[0].components(separatedBy: " (from macro")[0]
      let diagnostic = (file.lastPathComponent, "\(parts[0]):\(text)")
      if !found.contains(where: { $0 == diagnostic }) { found.append(diagnostic) }
    }
    if result.status != 0, found.isEmpty { found = [("", result.output)] }
    return found
  }

  /// Returns all errors in a program: `3: …` for an error at line 3, `expansion: …` for an error in a macro's
  /// expansion. Includes errors that the compiler finds only when it generates code.
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

  /// Returns the names of a target's source files.
  private static func sources(of target: String) throws -> Set<String> {
    let folder = sources.appendingPathComponent(target)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Set(paths.map { ($0 as NSString).lastPathComponent })
  }

  /// Compiles modules in order, and links the last module as a program. A module can import the modules
  /// before it. Runs the program and returns its output.
  func run(_ modules: KeyValuePairs<String, String>, environment: [String: String] = [:]) throws -> Outcome {
    try withTemporaryFolder { folder in
      let targets = ["Arc", "ArcArchive", "ArcFormat", "ArcMemory", "ArcRuntime", "CArc"]
      let objects = try targets.flatMap { target in
        let build = Self.products.appendingPathComponent("\(target).build")
        let sources = try Self.sources(of: target)
        // The folder can also contain object files of sources that were removed.
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

  /// The flags for the toolchain's fastest linker, because the object files of all modules are linked for
  /// each program.
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
