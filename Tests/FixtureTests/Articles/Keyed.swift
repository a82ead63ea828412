// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc
import ArcImport
import Foundation

// The article shows the following lines.

@Archivable final class Chart {
  @Key("layers", "NS.layers") var layers: [ChartLayer] = []          // an NSArray in the file
  var scale = 1.0                                                    // an integer fits too
  init() {}
}
@Archivable final class ChartLayer { var title = ""; weak var chart: Chart?; init() {} }

func convert(_ old: URL, to new: URL) throws {
  let classes = ClassTable()
  try classes.register(ChartLayer.self, formerly: "OLDLayer")        // MyApp.ChartLayer and _TtC5MyApp… are found
  try Archiver().write(ArchiveImporter(classes: classes).read(Chart.self, from: old), to: new)
}

func readChart(_ old: URL) throws -> Chart {
  let chart = try ArchiveImporter().read(Chart.self, from: old)
  return chart
}

func readRoots(_ old: URL) throws {
let names = try ArchiveImporter().roots(of: old).map(\.name)         // ["chart", "recent"]
let (chart, recent) = try ArchiveImporter().read(
  roots: .init("chart", Chart.self), .init("recent", [ChartLayer].self), from: old)
_ = (names, chart, recent)
}

@Archivable final class ChartSettings {
  var width = 100.0
  var recent: [String] = []
  var windows: [ChartWindow] = []                                    // an array of dictionaries
  @Boxed var other: [String: Any] = [:]                              // anything that a property list contains
  init() {}
}
@Archivable struct ChartWindow { var title = ""; var isOpen = false }

func settings(_ old: URL) throws -> ChartSettings {
  try ArchiveImporter().read(ChartSettings.self, from: old)          // { width = 120; windows = ({ title = A; }); }
}

func reportUnreadKeys() {
var importer = ArchiveImporter()
importer.onReport = { report in
  for unread in report.unreadKeys { print(unread.className, unread.key, unread.objectCount) }
}
_ = importer
}
