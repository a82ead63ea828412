import CBenchmarkSystem

/// The time for handling an archive's bytes, independent of their content.
extension Contender {
  /// Copies the bytes into new memory, and computes their checksum.
  static func bytes(
    _ archive: Lazily<[UInt8]>, objectCount: Int, operation: Operation
  ) -> [Contender] {
    [
      bytes(Name.memcpy, archive, objectCount, operation) { $0.copied },
      bytes("crc32", archive, objectCount, operation) { $0.crc32 },
    ]
  }

  /// Runs zlib in one thread over an uncompressed archive. A compressed archive is compared with this.
  static func zlib(_ archive: Lazily<[UInt8]>, level: Int, objectCount: Int) -> [Contender] {
    [
      bytes(Name.zlib(level: level), archive, objectCount, .archive) { try $0.deflated(level: level) },
      bytes(Name.zlib(level: level), archive, objectCount, .unarchive) { bytes in
        let stored = try bytes.deflated(level: level)
        return { try stored.inflated(byteCount: bytes.count) }
      },
    ]
  }

  private static func bytes<Result>(
    _ name: String, _ archive: Lazily<[UInt8]>, _ objectCount: Int, _ operation: Operation,
    perform: @escaping ([UInt8]) throws -> Result
  ) -> Contender {
    bytes(name, archive, objectCount, operation) { bytes in { try perform(bytes) } }
  }

  private static func bytes<Result>(
    _ name: String, _ archive: Lazily<[UInt8]>, _ objectCount: Int, _ operation: Operation,
    prepare: @escaping ([UInt8]) throws -> () throws -> Result
  ) -> Contender {
    Contender(name: name, role: .bytes, operation: operation, objectCount: objectCount) { _ in
      let bytes = try archive.value()
      return Call(bytesAreResult: true, perform: try prepare(bytes), byteCount: { _ in bytes.count })
    }
  }
}

extension [UInt8] {
  /// A copy of the bytes in memory that has never been used.
  fileprivate var copied: [UInt8] {
    withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: source.count) { buffer, count in
        count = source.count
        _ = buffer.initialize(from: source)
      }
    }
  }

  /// The checksum, computed by zlib.
  fileprivate var crc32: UInt {
    withUnsafeBufferPointer { UInt(crc32_z(0, $0.baseAddress, $0.count)) }
  }

  /// Returns the bytes compressed by one call of zlib.
  func deflated(level: Int) throws -> [UInt8] {
    var length = compressBound(uLong(count))
    var status = Z_OK
    let result = withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, initialized in
        status = compress2(buffer.baseAddress, &length, source.baseAddress, uLong(source.count), Int32(level))
        initialized = status == Z_OK ? Int(length) : 0
      }
    }
    guard status == Z_OK else { throw WrongResult(description: "zlib status \(status)") }
    return result
  }

  /// Returns the decompressed bytes.
  fileprivate func inflated(byteCount: Int) throws -> [UInt8] {
    var length = uLong(byteCount)
    var status = Z_OK
    let result = withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
        status = uncompress(buffer.baseAddress, &length, source.baseAddress, uLong(source.count))
        initialized = status == Z_OK ? Int(length) : 0
      }
    }
    guard status == Z_OK else { throw WrongResult(description: "zlib status \(status)") }
    return result
  }
}
