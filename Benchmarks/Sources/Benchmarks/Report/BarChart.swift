/// A bar chart as SVG: a group per workload and operation, a bar per contender, on a logarithmic scale.
struct BarChart {
  /// A bar with its label.
  struct Bar {
    let label: String
    let value: Double
    let role: Contender.Role
  }

  /// A group of bars with a title.
  struct Group {
    let title: String
    let bars: [Bar]
  }

  let title: String
  let groups: [Group]

  private static let width = 900.0
  private static let labelWidth = 190.0
  private static let figureWidth = 80.0
  private static let barHeight = 16.0
  private static let titleHeight = 26.0
  private static let top = 60.0

  /// The chart as the text of an SVG file.
  var svg: String {
    let scale = LogarithmicScale(
      groups.flatMap(\.bars).map(\.value), from: Self.labelWidth, to: Self.width - Self.figureWidth)
    var body: [String] = []
    var y = Self.top
    for group in groups {
      body.append(SVG.text(group.title, x: 12, y: y + 17, size: 13, weight: "bold"))
      y += Self.titleHeight
      for bar in group.bars {
        body += elements(of: bar, y: y, end: scale.position(of: bar.value))
        y += Self.barHeight
      }
      y += 6
    }
    let bottom = y + 4
    let grid = scale.ticks.flatMap { tick in
      let x = scale.position(of: tick)
      return [
        SVG.line(from: (x, Self.top - 8), to: (x, bottom), stroke: "#dddddd"),
        SVG.text(tick.short, x: x, y: Self.top - 12, size: 10, anchor: "middle"),
      ]
    }
    return SVG.document(width: Self.width, height: bottom + 10, title: title, body: grid + body)
  }

  private func elements(of bar: Bar, y: Double, end: Double) -> [String] {
    [
      SVG.text(bar.label, x: Self.labelWidth - 6, y: y + Self.barHeight - 4, size: 11, anchor: "end"),
      SVG.bar(
        x: Self.labelWidth, y: y + 2, width: end - Self.labelWidth, height: Self.barHeight - 4,
        fill: color(bar.role)),
      SVG.text(bar.value.short, x: end + 5, y: y + Self.barHeight - 4, size: 11),
    ]
  }

  private func color(_ role: Contender.Role) -> String {
    switch role {
    case .arc: "#1f77b4"
    case .option: "#8fbbd9"
    case .floor: "#2ca02c"
    case .bytes: "#bcbd22"
    case .peer: "#aaaaaa"
    }
  }
}
