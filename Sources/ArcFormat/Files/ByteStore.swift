#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// The bytes of a file in memory: allocated, mapped, or borrowed from a caller for the duration of a call.
///
/// Invariant: `bytes` is readable during the lifetime of the store. Allocated memory does not change. Another
/// process can change or truncate a mapped file. In this case, the contents of its pages change, or an access
/// raises SIGBUS.
@safe package final class ByteStore {
  /// The bytes of the file.
  package var bytes: ByteView { current.value }
  /// The value of `bytes`. Stored in a `Cell`, so that accesses need no exclusivity checks.
  private let current: Cell<ByteView>
  private let origin: Origin
  /// The mapped file. Nil if no file is mapped.
  private let file: OpenFile?
  /// The path of the file that was read or mapped. Nil for bytes in memory.
  package let path: String?

  private enum Origin { case allocated, mapped, borrowed }

  /// Whether a caller owns the memory. `borrow` can replace only borrowed memory.
  package var isBorrowed: Bool { origin == .borrowed }

  /// Copies a collection of bytes into allocated memory.
  package init(copying source: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
    unsafe copy.copyBytes(from: source)
    current = unsafe Cell(ByteView(UnsafeRawBufferPointer(copy)))
    origin = .allocated
    (file, path) = (nil, nil)
  }

  /// Uses the memory of a caller. The caller must not change or free it while this object, or anything that
  /// was read from it, is in use.
  package init(borrowing bytes: ByteView) {
    current = Cell(bytes)
    origin = .borrowed
    (file, path) = (nil, nil)
  }

  /// Replaces the borrowed memory with other memory. Anything that was read from the previous memory must no
  /// longer be used.
  package func borrow(_ bytes: ByteView) {
    precondition(origin == .borrowed)
    current.value = bytes
  }

  /// Ends the use of borrowed memory.
  package func endBorrowing() { borrow(ByteView()) }

  /// Reads a file, or maps a regular file. If `isMapped` is false, the file may be a pipe or a device. Spec:
  /// 07-limits, rule A1.
  ///
  /// - Throws: `limitExceeded` if the file has more than `byteLimit` bytes, before memory is allocated for
  ///   them; `fileSystem` if the file cannot be read.
  package init(path: String, isMapped: Bool, byteLimit: Int) throws(ArchiveError) {
    var found = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    var (byteCount, isRegular, isTooLarge) = (0, false, false)
    var mapped: OpenFile?
    do throws(SystemError) {
      // The system would ignore the part of the path after a NUL.
      guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL) }
      // Without `O_NONBLOCK`, opening a pipe waits for its writer. A pipe cannot be mapped, so mapping must
      // fail immediately.
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
    // From here on, `deinit` frees the memory if an error is thrown.
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

  /// Reads the file to its end. Does not rely on its size, because a pipe has no size and the size of a file
  /// can change. Stops if the file has more than `byteLimit` bytes.
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

  /// Calls `body` with a few bytes at an offset, and returns its result. Nil if the file does not contain the
  /// bytes.
  ///
  /// For a mapped file, reads the bytes with a system call: on an access in memory, the system might map
  /// megabytes around the page.
  func withBytes<Result>(at offset: Int, count: Int, _ body: (ByteView) -> Result) -> Result? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    let inMemory = bytes.suffix(from: offset)
    guard let file else { return body(inMemory) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { copy in
      let readCount = unsafe pread(file.descriptor, copy.baseAddress, count, off_t(offset))
      guard readCount == count else { return body(inMemory) }
      return unsafe body(ByteView(UnsafeRawBufferPointer(copy)))
    }
  }

  /// Permits the system to reclaim the memory of a part of a mapped file. If the part is accessed later, the
  /// system reads the file again.
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

/// Calls the system function `read`. Needed because a type with a method `read` cannot call the system
/// function directly.
private func readBytes(_ descriptor: Int32, _ memory: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
