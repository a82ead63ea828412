import ArcFormat

/// The parts of an HTML page that are equal for every archive: its style, its script, and the markup around
/// the data.
///
/// The files in the folder `Page` are compiled into the program, so the program needs no resource files.
enum HTMLPage {
  private static let style = PackageResources.page_css
  private static let markup = PackageResources.page_html

  /// The script, concatenated from its parts in the order of their dependencies.
  private static let script: [UInt8] =
    Array("(() => {\n\"use strict\";\n".utf8)
    + PackageResources.text_js + PackageResources.archive_js + PackageResources.references_js
    + PackageResources.elements_js + PackageResources.values_js + PackageResources.table_js
    + PackageResources.picture_js + PackageResources.object_js + PackageResources.class_js
    + PackageResources.bytes_js + PackageResources.search_js + PackageResources.overview_js
    + PackageResources.main_js
    + Array("})();\n".utf8)

  /// The content security policy of the page. The browser loads nothing, and applies only this style and this
  /// script.
  private static var policy: String {
    "default-src 'none'; script-src '\(source(script))'; style-src '\(source(style))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func source(_ bytes: [UInt8]) -> String { "sha256-" + base64(SHA256.digest(of: bytes)) }

  /// Writes the part of the page before the data.
  static func writeBeginning(title: String, to output: Output) throws(OutputFailure) {
    try output.write(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(text(title))</title>
      <style>
      """)
    try output.write(style)
    try output.write("</style>\n</head>\n")
    try output.write(markup)
  }

  /// Writes an element whose content is JSON. `body` writes the JSON.
  static func element(_ id: String, _ output: Output, _ body: () throws -> Void) throws {
    try output.write("<script type=\"application/json\" id=\"\(id)\">")
    try body()
    try output.write("</script>\n")
  }

  /// Writes the part of the page after the data, which contains the script.
  static func writeEnd(to output: Output) throws(OutputFailure) {
    try output.write("<script>")
    try output.write(script)
    try output.write("</script>\n</body>\n</html>\n")
  }

  /// Returns a string of the archive as escaped HTML text.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in printable(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
