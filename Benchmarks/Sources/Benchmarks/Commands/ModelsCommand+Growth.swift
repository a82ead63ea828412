import Arc
import Foundation

/// The memory for reading models, and the growth of the time with the size of the text.
extension ModelsCommand {
  /// Prints the peak memory for reading each text, without the objects and the text itself.
  func reportMemory(_ workloads: [ModelWorkload]) throws {
    print("Memory at the peak of reading, beyond the objects and the text, in parts of the text.")
    for workload in workloads {
      let byteCount = try workload.text.value().count
      guard let reader = workload.readers.first else { continue }
      let call = Call(bytesAreResult: false, perform: reader.run, byteCount: { _ in 0 })
      guard let bytes = try call.gauge().1.peakBytesBeyondGraph else { return print("unknown here") }
      print("\(workload.name): " + String(format: "%.2f", Double(bytes) / Double(byteCount)))
    }
  }

  /// Prints the time per byte of each hostile text, at one size and at four times that size.
  func reportHostileTexts() throws {
    print("Nanoseconds a byte of hostile texts of one size, and of four times that size.")
    for shape in HostileTexts.all {
      let costs = try [100_000, 400_000].map { count in
        let text = Array(shape.text(count).utf8)
        var best = Double.infinity
        for _ in 0..<rounds {
          let start = Self.now()
          let result = try shape.read(text)
          best = min(best, Self.now() - start)
          if let link = result as? LinkModel { try ObjectGraph.release(link) }
        }
        return best / Double(text.count) * 1e9
      }
      print("\(shape.name): \(costs.map { String(format: "%.1f", $0) }.joined(separator: ", "))")
    }
  }
}
