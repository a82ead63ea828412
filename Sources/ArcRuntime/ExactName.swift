/// A name, key or label as a key of dictionaries and sets: equal to another only if both have the same UTF-8 bytes.
///
/// Swift's `==` takes `é` as one scalar and as two for the same; in files they are two names, since nothing is
/// normalised. Spec: README, "Conventions".
@usableFromInline package struct ExactName: Hashable, Sendable {
  /// The name.
  package let text: String

  /// A name.
  package init(_ text: String) { self.text = text }

  /// Compares bytes.
  @usableFromInline package static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  /// Hashes bytes.
  @usableFromInline package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension StringProtocol {
  /// Whether both have the same UTF-8 bytes.
  ///
  /// - Complexity: O(bytes), O(1) where the numbers of bytes differ.
  package func hasSameBytes(as other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
