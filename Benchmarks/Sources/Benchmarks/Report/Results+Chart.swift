extension Results {
  /// The warm results of all workloads at full size. Contenders that only handle bytes are omitted, except
  /// for arrays of numbers, where they are the floor.
  var chart: BarChart {
    var groups: [BarChart.Group] = []
    for type in WorkloadCatalog.all {
      for operation in Operation.allCases {
        let bars = cells.filter {
          $0.workload == type.name && $0.operation == operation && $0.temperature == .warm && !$0.isInCache
            && ($0.role != .bytes || type.name == NumbersWorkload.name)
        }.map { BarChart.Bar(label: $0.contender, value: $0.nanosecondsPerObject.median, role: $0.role) }
        if !bars.isEmpty {
          groups.append(BarChart.Group(title: "\(type.name), \(operation.rawValue)", bars: bars))
        }
      }
    }
    return BarChart(title: "Nanoseconds an object, warm (logarithmic; less is better)", groups: groups)
  }
}
