import ArcTestSupport
import Foundation
import XCTest

final class TutorialTests: XCTestCase {
  func testEachTutorialStepCompilesWithEarlierSteps() throws {
    let folder = Repository.root.appendingPathComponent("Sources/Arc/Arc.docc/Tutorials")
    let claims = Repository.root.appendingPathComponent("Examples/Sources/Claims/Claims.swift")
    let compiler = Compiler(flags: ["-enable-upcoming-feature", "ExistentialAny"])
    var stepCount = 0
    for tutorial in ["DrawingEditor", "FeedToArchive"] {
      let page = try String(
        contentsOf: folder.appendingPathComponent("\(tutorial).tutorial"), encoding: .utf8)
      var files: [String: String] = [:]
      let steps = page.matches(of: /@Code\(name: "([^"]+)", file: ([^)]+)\)/)
      // The last step contains the whole program.
      let tried = Set(RandomTrials.sample(of: steps.indices, oneIn: 6) + [steps.count - 1])
      for (index, step) in steps.enumerated() {
        let shown = folder.appendingPathComponent("Resources/\(step.2)")
        files[String(step.1)] = try String(contentsOf: shown, encoding: .utf8)
        stepCount += 1
        guard tried.contains(index) else { continue }
        XCTAssertEqual(
          try compiler.diagnostics(of: files, importing: ("Claims", [claims])), [], "\(tutorial): \(step.2)")
      }
    }
    XCTAssertGreaterThan(stepCount, 20)
  }
}
