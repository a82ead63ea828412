extension Results {
  /// The warm figures of all workloads at full size. Bars of bytes alone are left out, but for arrays of numbers,
  /// whose floor they are.
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
