/// A goal for Arc's speed, memory or size, and its computation from measured cells.
struct Goal {
  let title: String
  let target: String
  /// Returns the measured number and whether it reaches the target. Nil if its cells were not measured.
  let measure: (Results) -> (figure: String, isMet: Bool)?
}

/// A goal with its measurement.
struct GoalOutcome: Codable {
  let title: String
  let target: String
  let figure: String
  let isMet: Bool
}

extension Results {
  /// Compares all goals with the measured cells.
  mutating func judge(_ goals: [Goal]) {
    for goal in goals {
      guard let (figure, isMet) = goal.measure(self) else { continue }
      self.goals.append(GoalOutcome(title: goal.title, target: goal.target, figure: figure, isMet: isMet))
    }
  }
}

extension Goal {
  /// Arc takes at most `limit` times as long as the fastest floor.
  static func floor(
    _ workload: String, _ operation: Operation, of contender: String = Contender.Name.arc,
    atMost limit: Double
  ) -> Goal {
    Goal(
      title: contender == Contender.Name.arc
        ? "\(workload), \(operation.rawValue)" : "\(workload), \(contender)",
      target: "at most \(limit.short) x \(operation == .archive ? "walk" : "rebuild")"
    ) { results in
      guard let ratio = results.cell(workload, operation, contender)?.ratioToFloor else {
        return nil
      }
      return (ratio.text + " x", ratio.median <= limit)
    }
  }

  /// Copying takes at most `limit` times as long as archiving and reading. Comparing two graphs takes at most
  /// `limit` times as long as archiving both.
  static func values(_ workload: String, _ operation: Operation, atMost limit: Double) -> Goal {
    let isCopy = operation == .unarchive
    let name = isCopy ? Contender.Name.deepCopy : Contender.Name.isIsomorphic
    return Goal(
      title: "\(workload), \(name)",
      target: "at most \(limit.short) x \(isCopy ? "archive + unarchive" : "archiving both")"
    ) { results in
      guard let cell = results.cell(workload, operation, name),
        let one = results.cell(workload, .archive, Contender.Name.arc),
        let other = results.cell(workload, operation, Contender.Name.arc)
      else { return nil }
      let both = one.nanosecondsPerObject.median + other.nanosecondsPerObject.median
      let ratio = cell.nanosecondsPerObject.median / both
      return ("\(ratio.short) x", ratio <= limit)
    }
  }

  /// Arc takes at most `limit` nanoseconds per object.
  static func time(_ workload: String, _ operation: Operation, atMost limit: Double) -> Goal {
    Goal(title: "\(workload), \(operation.rawValue)", target: "at most \(limit.short) ns") { results in
      guard let cell = results.cell(workload, operation, Contender.Name.arc) else { return nil }
      return (cell.nanosecondsPerObject.text + " ns", cell.nanosecondsPerObject.median <= limit)
    }
  }

  /// The speed of a contender is at least `limit` times the speed of another contender, round by round.
  static func speed(
    _ workload: String, _ operation: Operation, of contender: String = Contender.Name.arc, over other: String,
    atLeast limit: Double
  ) -> Goal {
    Goal(
      title: "\(workload), \(operation.rawValue), \(contender)",
      target: "at least \(limit.short) x the speed of \(other)"
    ) { results in
      guard let cell = results.cell(workload, operation, contender),
        let otherCell = results.cell(workload, operation, other),
        let ratio = Spread(otherCell.samples, over: cell.samples)
      else { return nil }
      return (ratio.text + " x", ratio.median >= limit)
    }
  }

  /// The first call in a process takes at most `limit` times as long as later calls.
  static func cold(_ workload: String, _ operation: Operation, atMost limit: Double) -> Goal {
    Goal(title: "\(workload), \(operation.rawValue), cold", target: "at most \(limit.short) x warm") {
      results in
      guard let warm = results.cell(workload, operation, Contender.Name.arc),
        let cold = results.cell(workload, operation, Contender.Name.arc, temperature: .cold),
        let ratio = Spread(cold.samples.map { $0 / warm.nanosecondsPerObject.median })
      else { return nil }
      return (ratio.text + " x", ratio.median <= limit)
    }
  }

  /// In addition to the graph, Arc needs at most `perByte` times the archive's size and `perObject` bytes per
  /// object.
  static func memory(_ workload: String, _ operation: Operation, perByte: Double, perObject: Int) -> Goal {
    Goal(
      title: "\(workload), \(operation.rawValue), memory",
      target: "at most \(perByte.short) x bytes + \(perObject) an object"
    ) { results in
      guard let cell = results.cell(workload, operation, Contender.Name.arc, temperature: .cold),
        let peak = cell.peakBytesBeyondGraph, let bytes = cell.byteCount
      else { return nil }
      let limit = perByte * Double(bytes) + Double(perObject * cell.objectCount)
      return ("\((Double(peak) / 1e6).short) of \((limit / 1e6).short) MB", Double(peak) <= limit)
    }
  }

  /// Arc's size for the people is at most `limit` times the size of another format.
  static func size(compressed: Bool, of format: String, atMost limit: Double) -> Goal {
    let suffix = compressed ? " + zlib" : ""
    return Goal(title: "people, bytes\(suffix)", target: "at most \(limit.short) x \(format)\(suffix)") {
      results in
      func bytes(_ format: String) -> Double? {
        results.sizes.first { $0.format == format }
          .map { Double(compressed ? $0.compressedByteCount : $0.byteCount) }
      }
      guard let own = bytes(Contender.Name.arc), let other = bytes(format) else { return nil }
      return ("\((own / other).short) x", own <= limit * other)
    }
  }
}
