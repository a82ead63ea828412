import CBenchmarkSystem
import Foundation

/// The memory that a call needs in addition to the graph.
struct MemoryUse: Codable {
  /// The peak in bytes, including the archive. Nil if the system does not report it.
  var peakBytesBeyondGraph: Int?
}

/// The memory of this process. Linux only: `/proc/self/status` and `/proc/self/clear_refs` (proc(5)).
enum ProcessMemory {
  /// Returns free memory to the system, so that a call cannot reuse memory of earlier calls unnoticed.
  static func trim() {
    #if os(Linux)
      _ = malloc_trim(0)
    #endif
  }

  /// Makes the allocator finish deferred work. glibc joins small free chunks when a large chunk is requested,
  /// and would do this during the next call.
  static func settle() { UnsafeMutableRawPointer.allocate(byteCount: 96 << 10, alignment: 16).deallocate() }

  /// The resident bytes that no file backs.
  static var anonymousBytes: Int? { status("RssAnon") }

  /// The peak number of resident bytes since `resetPeak`, without bytes that a file backs: the first call in
  /// a process loads pages of code, which are not its memory.
  static var peakAnonymousBytes: Int? {
    guard let peak = status("VmHWM"), let files = status("RssFile") else { return nil }
    return peak - files
  }

  /// Starts the measurement of a new peak.
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
