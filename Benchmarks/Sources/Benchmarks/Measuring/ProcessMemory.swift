import CBenchmarkSystem
import Foundation

/// What a call needed beyond the graph.
struct MemoryUse: Codable {
  /// At the peak, in bytes, the archive included; nil where the system does not tell.
  var peakBytesBeyondGraph: Int?
}

/// Reads the memory of this process. Linux only: `/proc/self/status` and `/proc/self/clear_refs` (proc(5)).
enum ProcessMemory {
  /// Gives free memory back to the system, so that calls cannot hide in what others left.
  static func trim() {
    #if os(Linux)
      _ = malloc_trim(0)
    #endif
  }

  /// Makes the allocator finish what it put off when memory was freed: glibc joins small free chunks when a large one
  /// is asked for, and would charge the next call with it.
  static func settle() { UnsafeMutableRawPointer.allocate(byteCount: 96 << 10, alignment: 16).deallocate() }

  /// Bytes of memory that no file backs and that are resident now.
  static var anonymousBytes: Int? { status("RssAnon") }

  /// The most bytes that were resident at a time since `resetPeak`, without what files back: pages of code come in
  /// while a call runs first, and are nobody's fault.
  static var peakAnonymousBytes: Int? {
    guard let peak = status("VmHWM"), let files = status("RssFile") else { return nil }
    return peak - files
  }

  /// Starts to look for a new peak.
  static func resetPeak() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  private static func status(_ key: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(key + ":") {
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map {
        $0 * 1024
      }
    }
    return nil
  }
}
