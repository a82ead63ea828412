/// The SVG elements that the charts use.
enum SVG {
  /// Returns a complete file with a title at the top.
  static func document(width: Double, height: Double, title: String, body: [String]) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.short) \(height.short)" \
    width="\(width.short)" height="\(height.short)" font-family="sans-serif">
    <rect width="100%" height="100%" fill="white"/>
    \(text(title, x: 12, y: 24, size: 16, weight: "bold"))
    \(body.joined(separator: "\n"))
    </svg>

    """
  }

  static func text(
    _ text: String, x: Double, y: Double, size: Int, weight: String = "normal", anchor: String = "start"
  ) -> String {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return "<text x=\"\(x.short)\" y=\"\(y.short)\" font-size=\"\(size)\" font-weight=\"\(weight)\" "
      + "text-anchor=\"\(anchor)\" fill=\"#222222\">\(escaped)</text>"
  }

  static func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), stroke: String)
    -> String
  {
    "<line x1=\"\(start.x.short)\" y1=\"\(start.y.short)\" x2=\"\(end.x.short)\" y2=\"\(end.y.short)\" "
      + "stroke=\"\(stroke)\"/>"
  }

  static func bar(x: Double, y: Double, width: Double, height: Double, fill: String) -> String {
    "<rect x=\"\(x.short)\" y=\"\(y.short)\" width=\"\(width.short)\" height=\"\(height.short)\" fill=\"\(fill)\"/>"
  }
}
