extension Results {
  /// The tables: one per measured workload and operation, with a row per contender.
  var tables: String {
    var sections: [String] = []
    for type in WorkloadCatalog.all {
      for operation in Operation.allCases {
        if let text = table(type.name, operation) {
          sections.append("### \(type.name), \(operation.rawValue)\n\n\(text)")
        }
      }
    }
    if !sizes.isEmpty { sections.append("### people, bytes\n\n\(sizeTable)") }
    if !goals.isEmpty { sections.append("### Goals\n\n\(goalTable)") }
    return sections.joined(separator: "\n\n")
  }

  private func table(_ workload: String, _ operation: Operation) -> String? {
    let rows = cells.filter {
      $0.workload == workload && $0.operation == operation && $0.temperature == .warm && !$0.isInCache
    }
    guard !rows.isEmpty else { return nil }
    var table = MarkdownTable(
      [
        "", "objects", "ns an object", "cold", "of 1,000", "of 1,000, cold", "MB/s", "bytes", "peak MB",
        "x Arc",
        "x floor", "remark",
      ], leftAligned: [0, 11])
    for row in rows {
      func figure(_ temperature: Cell.Temperature, isInCache: Bool) -> String {
        cell(workload, operation, row.contender, temperature: temperature, isInCache: isInCache)
          .map { $0.nanosecondsPerObject.median.short } ?? ""
      }
      let peak = cell(workload, operation, row.contender, temperature: .cold)?.peakBytesBeyondGraph
      table.append([
        row.contender, String(row.objectCount), row.nanosecondsPerObject.text,
        figure(.cold, isInCache: false),
        figure(.warm, isInCache: true), figure(.cold, isInCache: true), row.megabytesPerSecond?.short ?? "",
        row.byteCount.map { String($0) } ?? "", peak.map { (Double($0) / 1e6).short } ?? "",
        row.ratioToArc?.text ?? "", row.ratioToFloor?.text ?? "", row.remark,
      ])
    }
    return table.text
  }

  private var sizeTable: String {
    var table = MarkdownTable(["", "bytes", "with zlib 6"], leftAligned: [0])
    for size in sizes {
      table.append([size.format, String(size.byteCount), String(size.compressedByteCount)])
    }
    return table.text
  }

  private var goalTable: String {
    var table = MarkdownTable(["goal", "target", "measured", ""], leftAligned: [0, 1, 3])
    for goal in goals { table.append([goal.title, goal.target, goal.figure, goal.isMet ? "met" : "missed"]) }
    return table.text
  }
}
