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
