extension String {
  /// Creates the string with these bytes. Nil if they are not valid UTF-8.
  init?(checkedUTF8 bytes: ByteView) {
    if bytes.areASCII {
      self = unsafe bytes.withUnsafeBytes { unsafe String(ascii: $0) }
    } else {
      let text = unsafe bytes.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
      guard let text else { return nil }
      self = text
    }
  }

  /// Creates the string with these bytes, which must be ASCII.
  private init(ascii bytes: UnsafeRawBufferPointer) {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      unsafe self.init(decoding: bytes, as: UTF8.self)
      return
    }
    // This initializer does not validate the bytes again.
    let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
    self.init(copying: unsafe UTF8Span(unchecked: span, isKnownASCII: true))
  }

  /// Calls `body` with the UTF-8 bytes of the string in memory. The bytes are copied only if the string is
  /// bridged.
  @inlinable package func withUTF8Bytes<Result>(_ body: (ByteView) -> Result) -> Result {
    let result = unsafe utf8.withContiguousStorageIfAvailable {
      body(unsafe ByteView(UnsafeRawBufferPointer($0)))
    }
    if let result { return result }
    var copy = self
    return copy.withUTF8 { body(unsafe ByteView(UnsafeRawBufferPointer($0))) }
  }
}

extension ByteView {
  /// Whether the bytes are valid UTF-8.
  package var isUTF8: Bool {
    if areASCII { return true }
    return unsafe withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) != nil }
  }

  /// Whether all bytes are ASCII, so that no byte has its highest bit set.
  fileprivate var areASCII: Bool {
    var offset = 0
    var bits: UInt64 = 0
    while offset &+ 8 <= count {
      bits |= load(at: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < count {
      bits |= UInt64(self[offset])
      offset &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
