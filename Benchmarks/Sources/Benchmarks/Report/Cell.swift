/// One figure of the benchmark with what belongs to it: a contender's operation on a workload of some size, warm or
/// cold.
struct Cell: Codable {
  /// Whether the call was the first in its process.
  enum Temperature: String, Codable {
    case warm
    case cold
  }

  let workload: String
  let operation: Operation
  let contender: String
  let role: Contender.Role
  let remark: String
  let temperature: Temperature
  /// Whether the workload is small enough for the processor's caches.
  let isInCache: Bool
  let objectCount: Int
  /// Nanoseconds per object, one figure a round.
  let samples: [Double]
  let nanosecondsPerObject: Spread
  /// The archive's bytes, made or read; nil for contenders without any.
  let byteCount: Int?
  let megabytesPerSecond: Double?
  let peakBytesBeyondGraph: Int?
  /// How many times as long as Arc, round by round.
  let ratioToArc: Spread?
  /// How many times as long as the fastest floor, round by round.
  let ratioToFloor: Spread?
}

extension Cell {
  /// The cells of one contest.
  static func all(_ entries: [Contest.Entry], workload: String, temperature: Temperature, isInCache: Bool)
    -> [Cell]
  {
    let arc = entries.first { $0.contender.role == .arc }
    let floor = entries.filter { $0.contender.role == .floor }.min { $0.median < $1.median }
    return entries.compactMap { entry in
      guard let spread = Spread(entry.samples) else { return nil }
      let contender = entry.contender
      let bytesPerObject = Double(entry.byteCount) / Double(contender.objectCount)
      return Cell(
        workload: workload, operation: contender.operation, contender: contender.name, role: contender.role,
        remark: contender.remark, temperature: temperature, isInCache: isInCache,
        objectCount: contender.objectCount, samples: entry.samples, nanosecondsPerObject: spread,
        byteCount: entry.byteCount == 0 ? nil : entry.byteCount,
        megabytesPerSecond: entry.byteCount == 0 ? nil : bytesPerObject / spread.median * 1000,
        peakBytesBeyondGraph: [.arc, .option, .peer].contains(contender.role)
          ? entry.memory?.peakBytesBeyondGraph : nil,
        ratioToArc: arc.flatMap { Spread(entry.samples, over: $0.samples) },
        ratioToFloor: floor.flatMap { Spread(entry.samples, over: $0.samples) })
    }
  }
}

extension Contest.Entry {
  fileprivate var median: Double { Spread(samples)?.median ?? .infinity }
}
