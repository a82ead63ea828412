import ArcFormat
import ArcJSON

/// The text that is being read, for all that give values right from it: in memory of its own, so that nothing
/// is retained and no access is checked for each value.
///
/// Invariant: whoever sets a text keeps it until another one, or nil, is set.
@safe final class TextReference {
  private let text = unsafe Handle<Unmanaged<JSONDocument>?>(nil)

  deinit { unsafe text.free() }

  func set(_ document: JSONDocument?) {
    unsafe text.value = document.map { unsafe .passUnretained($0) }
  }

  /// Calls `body` with the text.
  @inline(__always) func read<Result>(_ body: (JSONDocument) throws -> Result) throws -> Result {
    guard let text = unsafe text.value else { throw TextValues.Refusal() }
    return try unsafe text._withUnsafeGuaranteedRef { try body($0) }
  }
}
