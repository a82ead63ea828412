/// One measurement with its context: the operation of a contender on a workload of some size, warm or cold.
struct Cell: Codable {
  /// Whether the call is the first call in its process (cold) or a later call (warm).
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
  /// Nanoseconds per object, one number per round.
  let samples: [Double]
  let nanosecondsPerObject: Spread
  /// The number of bytes that were written or read. Nil for contenders without bytes.
  let byteCount: Int?
  let megabytesPerSecond: Double?
  let peakBytesBeyondGraph: Int?
  /// The ratio of the time to Arc's time, round by round.
  let ratioToArc: Spread?
  /// The ratio of the time to the time of the fastest floor, round by round.
  let ratioToFloor: Spread?
}

extension Cell {
  /// Returns the cells of one contest.
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
