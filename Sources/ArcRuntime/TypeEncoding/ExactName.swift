/// A name, key or label as a key of dictionaries and sets: equal to another only if both have the same UTF-8
/// bytes.
///
/// Swift's `==` finds `é` as one scalar and as two equal; in files they are two names, since nothing is
/// normalised. Spec: README, "Conventions".
@usableFromInline package struct ExactName: Hashable, Sendable {
  /// The name.
  package let text: String

  /// Creates the key for a name.
  package init(_ text: String) { self.text = text }

  /// Whether both names have the same UTF-8 bytes.
  @usableFromInline package static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  /// Feeds the name's bytes into the hasher.
  @usableFromInline package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether both have the same UTF-8 bytes.
  ///
  /// - Complexity: O(bytes), O(1) where the numbers of bytes differ.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Compared in memory where both are UTF-8 there, as most are: through a collection it takes ten times as
    // long.
    let areSame = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        unsafe haveSameBytes(UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(others))
      }
    }
    return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

/// Whether there are as many bytes, and the same: compared eight at a time.
package func haveSameBytes(_ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer) -> Bool {
  guard bytes.count == others.count else { return false }
  var index = 0
  while index &+ 8 <= bytes.count {
    let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    guard unsafe word == others.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
    index &+= 8
  }
  while index < bytes.count {
    guard unsafe bytes[index] == others[index] else { return false }
    index &+= 1
  }
  return true
}
