import ArgumentParser
import Foundation

/// Measures how the time per object depends on the number of objects.
struct CurveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "curve", abstract: "Measures Arc from 1,000 to 10,000,000 objects.")

  @Option(help: "The workloads, separated by commas.")
  var workload = "people,tree-level"
  @Option(help: "The greatest number of objects.")
  var greatest = 10_000_000
  @Option(help: "How often each size is timed.")
  var rounds = 3
  @Option(
    help: "The file for the chart; by default Results/curve.svg of this package, if all sizes are measured.")
  var chart: String?

  func run() throws {
    let names = workload.split(separator: ",").map(String.init)
    var table = MarkdownTable(
      ["workload", "operation", "objects", "Arc, ns an object", "floor, ns an object", "x floor"],
      leftAligned: [0, 1])
    var lines: [LineChart.Line] = []
    for type in WorkloadCatalog.all where names.contains(type.name) {
      for operation in Operation.allCases {
        let points = try sequence(first: 1000, next: { $0 * 10 }).prefix { $0 <= greatest }.compactMap {
          count in
          FileHandle.standardError.write(Data("\(type.name), \(count), \(operation.rawValue)\n".utf8))
          return try measure(type, operation, count: count)
        }
        for (arc, floor) in points {
          table.append([
            type.name, operation.rawValue, String(arc.objectCount), arc.nanosecondsPerObject.text,
            floor.nanosecondsPerObject.text, arc.ratioToFloor?.text ?? "",
          ])
        }
        let title = "\(type.name), \(operation.rawValue)"
        lines.append(LineChart.Line(title: title, points: points.map { $0.arc.curvePoint }, isFloor: false))
        lines.append(LineChart.Line(title: title, points: points.map { $0.floor.curvePoint }, isFloor: true))
      }
    }
    print(table.text)
    let isWhole = greatest == 10_000_000
    let url = try chart.map { URL(fileURLWithPath: $0) } ?? (isWhole ? ResultFolder.file("curve.svg") : nil)
    if let url { try Data(LineChart(lines: lines).svg.utf8).write(to: url) }
  }

  /// Measures Arc and the faster of the two floors. The graph is freed afterwards.
  private func measure(_ type: any Workload.Type, _ operation: Operation, count: Int) throws -> (
    arc: Cell, floor: Cell
  )? {
    let contenders = type.init(count: count).contenders.filter {
      $0.operation == operation && [.arc, .floor].contains($0.role)
    }
    let entries = try Contest(contenders: contenders, rounds: rounds).runWarm()
    let cells = Cell.all(entries, workload: type.name, temperature: .warm, isInCache: false)
    let floors = cells.filter { $0.role == .floor }
    guard let arc = cells.first(where: { $0.role == .arc }),
      let floor = floors.min(by: { $0.nanosecondsPerObject.median < $1.nanosecondsPerObject.median })
    else { return nil }
    return (arc, floor)
  }
}

extension Cell {
  fileprivate var curvePoint: LineChart.Point {
    LineChart.Point(x: Double(objectCount), y: nanosecondsPerObject.median)
  }
}
