/// A name, key or label as the key of a dictionary or set. Two names are equal if they have the same UTF-8
/// bytes.
///
/// Swift's `==` also compares canonically equivalent strings as equal, such as `é` as one or two scalars. A
/// file does not normalize names, so a file can contain both as two different names. Spec: README,
/// "Conventions".
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
  /// Returns whether two strings have the same UTF-8 bytes.
  ///
  /// - Complexity: O(bytes), or O(1) if the numbers of bytes differ.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Compares memory if both strings are stored as UTF-8, as most are. Comparing collections takes ten times
    // as long.
    let areSame = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        unsafe haveSameBytes(UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(others))
      }
    }
    return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

/// Returns whether two buffers have the same bytes, comparing eight bytes at a time.
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
