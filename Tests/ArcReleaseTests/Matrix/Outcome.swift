import ArcFormat
import Foundation

/// The result of reading a file: a graph, or an error.
enum Outcome: Hashable, CustomStringConvertible {
  case graph(String)
  case refused(ArchiveError.Code)
  /// An error that is not an error of Arc.
  case failed(String)

  /// Creates the outcome of a reading. A graph is converted to text.
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

  /// Describes both outcomes, from the first different character on.
  func difference(from expected: Outcome) -> String {
    let (found, expected) = ("\(self)", "\(expected)")
    let common = found.commonPrefix(with: expected, options: .literal).count
    let context = max(0, common - 60)
    return
      "found …\(found.dropFirst(context).prefix(160))…, expected …\(expected.dropFirst(context).prefix(160))…"
  }
}
