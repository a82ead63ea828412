import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Random graphs, with random changes by a program that knows half of the classes.
final class RandomKeepingTests: XCTestCase {
  func testProgramWithFewerClassesSavesOnlyItsChange() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for round in 0..<RandomTrials.count(usually: 8, exhaustively: 300) {
      let whole = sheet(&random)
      let content = PreservedContent()
      let seesAll = Bool.random(using: &random)
      let half = try HalfProgram.read(Archiver().archive(whole), preserving: content, standingIn: seesAll)
      for _ in 0..<Int.random(in: 0..<4, using: &random) { change(half, whole, &random) }
      let bytes = try Archiver(
        compression: Bool.random(using: &random) ? .none : .zlib, preserving: content
      ).archive(half)
      try ArchiveFile(bytes: bytes).verify()
      let found = try WholeProgram.read(bytes)
      if let difference = try ObjectGraph.difference(between: found, and: whole) {
        return XCTFail("round \(round): \(difference)")
      }
    }
  }

  /// Returns shapes with random references to each other.
  private func sheet(_ random: inout SplitMix64) -> WholeProgram.Sheet {
    let shapes = (0..<Int.random(in: 1..<12, using: &random)).map { number -> WholeProgram.Shape in
      switch Int.random(in: 0..<3, using: &random) {
      case 0: WholeProgram.Star("\(number)")
      case 1: WholeProgram.Circle("\(number)")
      default: WholeProgram.Shape("\(number)")
      }
    }
    func some() -> [WholeProgram.Shape] {
      (0..<Int.random(in: 0..<6, using: &random)).compactMap { _ in shapes.randomElement(using: &random) }
    }
    let groups = (0..<3).map { _ in WholeProgram.Group(some()) }
    for shape in shapes {
      if Bool.random(using: &random) { shape.group = groups.randomElement(using: &random) }
      shape.weight = Int.random(in: 0..<5, using: &random)
      guard let star = shape as? WholeProgram.Star else { continue }
      star.partner = some().first
      star.corners = some().map { _ in WholeProgram.Corner(Double.random(in: 0..<1, using: &random), of: star)
      }
    }
    let sheet = WholeProgram.Sheet()
    sheet.shapes = some()
    sheet.best = some().first
    sheet.latest = some().first
    for shape in some() { sheet.byName[shape.name] = shape }
    sheet.layers = [some(), [], some()]
    sheet.groups = [groups[0]]
    return sheet
  }

  /// Changes a value that both programs know, in both graphs.
  private func change(
    _ half: HalfProgram.Sheet, _ whole: WholeProgram.Sheet, _ random: inout SplitMix64
  ) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: (half.title, whole.title) = ("new", "new")
    case 1:
      guard let name = half.shapes.randomElement(using: &random)?.name else { return }
      for shape in half.shapes where shape.name == name { shape.name = "changed" }
      for shape in whole.shapes where shape.name == name { shape.name = "changed" }
    case 2:
      half.shapes.append(HalfProgram.Circle("added"))
      whole.shapes.append(WholeProgram.Circle("added"))
    default:
      half.layers.append([])
      whole.layers.append([])
      half.byName["new"] = HalfProgram.Shape("named")
      whole.byName["new"] = WholeProgram.Shape("named")
    }
  }
}
