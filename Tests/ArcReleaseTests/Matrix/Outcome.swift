import ArcFormat
import Foundation

/// What reading a file gives: a graph, or an error.
enum Outcome: Hashable, CustomStringConvertible {
  case graph(String)
  case refused(ArchiveError.Code)
  /// An error that is not one of Arc's.
  case failed(String)

  /// The outcome of a reading, with the graph as text.
  init(_ read: () throws -> Any) {
    do {
      self = .graph(GraphText.of(try read()))
    } catch let error as ArchiveError {
      self = .refused(error.code)
    } catch {
      self = .failed("\(error)")
    }
  }

  var description: String {
    switch self {
    case .graph(let text): text
    case .refused(let code): code.rawValue
    case .failed(let text): "failed: \(text)"
    }
  }

  /// What is found and expected from the first character on that differs.
  func difference(from expected: Outcome) -> String {
    let (found, expected) = ("\(self)", "\(expected)")
    let common = found.commonPrefix(with: expected, options: .literal).count
    let context = max(0, common - 60)
    return
      "found …\(found.dropFirst(context).prefix(160))…, expected …\(expected.dropFirst(context).prefix(160))…"
  }
}
