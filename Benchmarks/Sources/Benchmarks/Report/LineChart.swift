/// A line chart as SVG, with logarithmic axes: nanoseconds per object by the number of objects. Linear growth
/// is a horizontal line.
struct LineChart {
  /// A measured value.
  struct Point {
    let x: Double
    let y: Double
  }

  /// A line with a title. A floor is dashed and has the colour of the previous line.
  struct Line {
    let title: String
    let points: [Point]
    let isFloor: Bool
  }

  let lines: [Line]

  private static let colors = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b"]

  /// The chart as the text of an SVG file.
  var svg: String {
    let points = lines.flatMap(\.points)
    let horizontal = LogarithmicScale(points.map(\.x), from: 70, to: 650)
    let vertical = LogarithmicScale(points.map(\.y), from: 380, to: 50)
    var body: [String] = []
    for tick in horizontal.ticks {
      let x = horizontal.position(of: tick)
      body.append(SVG.line(from: (x, 50), to: (x, 380), stroke: "#dddddd"))
      body.append(SVG.text(tick.short, x: x, y: 398, size: 11, anchor: "middle"))
    }
    for tick in vertical.ticks {
      let y = vertical.position(of: tick)
      body.append(SVG.line(from: (70, y), to: (650, y), stroke: "#dddddd"))
      body.append(SVG.text(tick.short, x: 62, y: y + 4, size: 11, anchor: "end"))
    }
    for (index, line) in lines.enumerated() {
      let color = Self.colors[index / 2 % Self.colors.count]
      let path = line.points.map {
        "\(horizontal.position(of: $0.x).short),\(vertical.position(of: $0.y).short)"
      }
      body.append(
        "<polyline points=\"\(path.joined(separator: " "))\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\""
          + (line.isFloor ? " stroke-dasharray=\"5 4\"/>" : "/>"))
      if !line.isFloor {
        let y = 62 + Double(index / 2) * 20
        body.append(SVG.line(from: (668, y), to: (692, y), stroke: color))
        body.append(SVG.text(line.title, x: 698, y: y + 4, size: 12))
      }
    }
    return SVG.document(
      width: 900, height: 420, title: "Nanoseconds an object by number of objects (dashed: floors)",
      body: body)
  }
}
