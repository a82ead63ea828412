#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Memory that contains a file: owned, mapped, or borrowed from a caller for the duration of a call.
///
/// Invariant: `bytes` is readable as long as the store lives. Owned memory does not change. A mapped file can
/// be changed or cut by another process: then its pages have other contents, or accessing them raises SIGBUS.
@safe package final class ByteStore {
  /// The memory.
  package var bytes: ByteView { current.value }
  /// `bytes`. Out of line, so that accesses are not checked for overlap.
  private let current: Cell<ByteView>
  private let origin: Origin
  /// The mapped file; nil if none is mapped.
  private let file: OpenFile?
  /// The path of the file that was read or mapped; nil for bytes in memory.
  package let path: String?

  private enum Origin { case allocated, mapped, borrowed }

  /// Whether the caller owns the memory, which can be replaced by `borrow`.
  package var isBorrowed: Bool { origin == .borrowed }

  /// Copies a collection of bytes.
  package init(copying source: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
    unsafe copy.copyBytes(from: source)
    current = unsafe Cell(ByteView(UnsafeRawBufferPointer(copy)))
    origin = .allocated
    (file, path) = (nil, nil)
  }

  /// Uses memory that the caller keeps unchanged as long as this object and all that was read from it are in
  /// use.
  package init(borrowing bytes: ByteView) {
    current = Cell(bytes)
    origin = .borrowed
    (file, path) = (nil, nil)
  }

  /// Uses other memory instead. What was read from the previous memory must not be used any more.
  package func borrow(_ bytes: ByteView) {
    precondition(origin == .borrowed)
    current.value = bytes
  }

  /// Stops using borrowed memory.
  package func endBorrowing() { borrow(ByteView()) }

  /// Reads a file, regular or not, or maps a regular one. Spec: 07-limits, rule A1.
  ///
  /// - Throws: `limitExceeded` for more than `byteLimit` bytes, before memory is reserved; `fileSystem` if
  ///   the file cannot be read.
  package init(path: String, isMapped: Bool, byteLimit: Int) throws(ArchiveError) {
    var found = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    var (byteCount, isRegular, isTooLarge) = (0, false, false)
    var mapped: OpenFile?
    do throws(SystemError) {
      // The system would ignore what follows a NUL.
      guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL) }
      // Mapping a pipe fails at once; reading one may wait for its writer.
      let flags = O_RDONLY | O_CLOEXEC | (isMapped ? O_NONBLOCK : 0)
      let file = try OpenFile { unsafe open(path, flags) }
      let status = try file.status()
      isRegular = status.isRegularFile
      if isRegular { byteCount = Int(status.st_size) }
      isTooLarge = byteCount > byteLimit
      if isMapped, isRegular, byteCount > 0, !isTooLarge {
        unsafe found = unsafe try Self.map(file, byteCount)
        mapped = file
      } else if !isMapped, !isTooLarge {
        unsafe found = unsafe try Self.read(file, expected: byteCount, byteLimit)
        isTooLarge = found.count > byteLimit
      }
    } catch {
      throw error.attempting(to: "read", path)
    }
    file = mapped
    self.path = path
    // From here on `deinit` frees the memory, whatever is thrown.
    current = unsafe Cell(ByteView(found))
    origin = unsafe found.baseAddress == nil ? .borrowed : isMapped ? .mapped : .allocated
    if isTooLarge { try ArchiveLimits.check(max(byteCount, bytes.count), within: byteLimit, "fileBytes") }
    guard isRegular || !isMapped else {
      throw ArchiveError(
        .fileSystem, found: "'\(path)', which is not a regular file",
        expected: "a regular file, which can be mapped",
        remedy: "read the file into memory with ArchiveFile(path:)")
    }
  }

  private static func map(
    _ file: OpenFile, _ byteCount: Int
  ) throws(SystemError) -> UnsafeRawBufferPointer {
    guard let start = unsafe mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, file.descriptor, 0),
      unsafe start != MAP_FAILED
    else { throw SystemError(number: errno) }
    return unsafe UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  /// Reads to the end instead of trusting the size, which a pipe lacks and which may change; stops after more
  /// bytes than `byteLimit`.
  private static func read(
    _ file: OpenFile, expected: Int, _ byteLimit: Int
  ) throws(SystemError) -> UnsafeRawBufferPointer {
    var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(expected, 4095) + 1, alignment: 16)
    var count = 0
    do throws(SystemError) {
      while count <= byteLimit {
        if count == buffer.count {
          let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count * 2, alignment: 16)
          unsafe larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
          unsafe buffer.deallocate()
          unsafe buffer = unsafe larger
        }
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let added = try systemCall { unsafe readBytes(file.descriptor, rest.baseAddress, rest.count) }
        if added == 0 { break }
        count += added
      }
    } catch {
      unsafe buffer.deallocate()
      throw error
    }
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  /// The four bytes at an offset as a little-endian number; 0 beyond the end. Of a mapped file they are read,
  /// not accessed in memory: for an accessed page the system may map megabytes around it.
  func checksumField(at offset: Int) -> UInt32 {
    guard offset >= 0, offset <= bytes.count - 4 else { return 0 }
    if let file {
      var field: UInt32 = 0
      let count = unsafe withUnsafeMutableBytes(of: &field) {
        unsafe pread(file.descriptor, $0.baseAddress, $0.count, off_t(offset))
      }
      if count == 4 { return UInt32(littleEndian: field) }
    }
    return bytes.integer(at: offset)
  }

  /// Lets the system reclaim the memory of a part of a mapped file; later accesses read the file again.
  package func discardPages(_ range: Range<Int>) {
    guard origin == .mapped else { return }
    let pageByteCount = max(1, Int(sysconf(Int32(_SC_PAGESIZE))))
    let first = max(range.lowerBound, 0) / pageByteCount * pageByteCount
    guard first < range.upperBound, range.upperBound <= bytes.count else { return }
    unsafe _ = madvise(
      UnsafeMutableRawPointer(mutating: bytes.start + first), range.upperBound - first, MADV_DONTNEED)
  }

  deinit {
    switch origin {
    case .allocated: unsafe bytes.start.deallocate()
    case .mapped: unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.start), bytes.count)
    case .borrowed: break
    }
  }
}

/// The system's `read`, which is hidden inside types with a method of that name.
private func readBytes(_ descriptor: Int32, _ memory: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
