import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

/// No string of a file becomes a script, markup or an address in the page.
final class HTMLSafetyTests: XCTestCase {
  private static let hostileTexts = [
    "</script><script>window.hacked=1</script>", "<!--<script>", "<img src=x onerror=hack()>", "]]>",
    "&lt;script&gt;", "' onload='hack()", "javascript:hack()", "\u{2028}\u{2029}\u{0}\u{202E}", "</SCRIPT ",
  ]

  func testHostileTextCannotEndItsHTMLElement() throws {
    for text in RandomTrials.sample(of: Self.hostileTexts, oneIn: 4) {
      let page = try HTMLText(of: SampleArchives.text(text), title: text)
      let index = try page.index()
      let blocks = try XCTUnwrap(index["blocks"] as? [[Int]])
      // The roots have one column and the class has four. After their blocks, the page has a script of its
      // own.
      XCTAssertEqual(blocks.count, 2)
      for tag in ["<script", "</script"] {
        let pieces = page.text.lowercased().components(separatedBy: tag)
        XCTAssertEqual(pieces.count - 1, 2 + 5 + 2 + 1, text)
      }
      let unsafe = "<>&'\u{2028}\u{2029}\u{202E}".unicodeScalars
      for json in page.allJSON() {
        XCTAssertFalse(json.unicodeScalars.contains { unsafe.contains($0) }, json)
      }
      let classes = try XCTUnwrap(index["classes"] as? [[String: Any]])
      XCTAssertEqual(classes[1]["name"] as? String, "C" + text)
      XCTAssertEqual(try page.json("b1c0").map(Self.strings), [text])
    }
  }

  func testPageTitleIsEscaped() throws {
    let page = try HTMLText(of: SampleArchives.family(), title: "</title><b>'\"&\u{202E}")
    XCTAssertEqual(
      try page.content(from: "<title>", to: "</title>"),
      "&lt;/title&gt;&lt;b&gt;&#39;&quot;&amp;\\u{202e}")
  }

  func testContentPolicyAllowsOnlyEmbeddedScriptAndStyle() throws {
    let page = try HTMLText(of: SampleArchives.family())
    let policy = try page.content(from: "Content-Security-Policy\" content=\"", to: "\"")
    func source(_ text: String) -> String { "'sha256-\(base64(SHA256.digest(of: Array(text.utf8))))'" }
    let script = try page.content(from: "<script>", to: "</script>")
    let style = try page.content(from: "<style>", to: "</style>")
    XCTAssertTrue(script.contains("\"use strict\""))
    XCTAssertEqual(
      policy,
      "default-src 'none'; script-src \(source(script)); style-src \(source(style)); base-uri 'none'; "
        + "form-action 'none'")
  }

  func testPageLoadsNoExternalResources() throws {
    let page = try HTMLText(of: SampleArchives.family())
    let script = try page.content(from: "<script>", to: "</script>")
    let forbidden = [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(",
    ]
    for word in forbidden { XCTAssertFalse(script.contains(word), word) }
    // The namespace of SVG is not an address that a browser loads.
    let addresses = page.text.components(separatedBy: "://").count - 1
    XCTAssertEqual(addresses, script.components(separatedBy: "http://www.w3.org/2000/svg").count - 1)
    XCTAssertEqual(addresses, 1)
  }

  func testSHA256HashesMatchTheStandard() {
    let expected = [
      0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      3: "9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0",
      55: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
      56: "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
      63: "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34",
      64: "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
      119: "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb",
      120: "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c",
    ]
    for (count, hash) in expected {
      let digest = SHA256.digest(of: Array(repeating: UInt8(ascii: "a"), count: count))
      XCTAssertEqual(hexadecimal(digest), hash, "\(count) bytes")
    }
  }

  private static func strings(_ json: String) throws -> [String] {
    try XCTUnwrap(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String])
  }
}
