#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Writes to an open file, pipe, socket or terminal that the caller owns. Never seeks.
package struct DescriptorOutput {
  private let descriptor: Int32

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Writes all bytes, in as many system calls as necessary. If the descriptor is nonblocking and accepts no
  /// more bytes, the function waits until the descriptor accepts bytes again.
  ///
  /// The signals `SIGPIPE` and `SIGXFSZ`, which a failing write causes, are not delivered to the program.
  ///
  /// - Throws: `fileSystem` if the system refuses to write: the disk is full, the file is too large, or the
  ///   pipe has no reader.
  package func write(_ bytes: [UInt8]) throws(ArchiveError) {
    do throws(SystemError) {
      try writeAll(bytes)
    } catch {
      throw error.attempting(
        to: "write to", "descriptor \(descriptor)",
        remedy: "discard the bytes that were already written: they are not a complete archive")
    }
  }

  func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      do throws(SystemError) {
        let count = try withoutSignals { () throws(SystemError) in
          try systemCall { writeSome(bytes[done...], to: descriptor) }
        }
        // If a file accepts no bytes and the system reports no error, the loop would not end.
        guard count > 0 else { throw SystemError(number: EIO) }
        done += count
      } catch {
        guard error.number == EAGAIN || error.number == EWOULDBLOCK else { throw error }
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        try systemCall { unsafe poll(&request, 1, -1) }
      }
    }
  }

  /// Calls `body` while this thread blocks the signals that a failing write causes. Consumes these signals
  /// afterwards. The system sends such a signal to the thread that writes, so all other signals still reach
  /// the program's handlers.
  private func withoutSignals<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var signals = sigset_t()
    var waiting = sigset_t()
    var mask = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, number) }
    unsafe sigpending(&waiting)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &mask)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &mask, nil) }
    do throws(SystemError) {
      return try body()
    } catch {
      let number = error.number == EPIPE ? SIGPIPE : error.number == EFBIG ? SIGXFSZ : 0
      if number != 0, unsafe sigismember(&waiting, number) == 0 { consumeSignal(number) }
      throw error
    }
  }

  /// Consumes a signal if it is pending for this thread. An ignored signal is never pending.
  private func consumeSignal(_ number: Int32) {
    var waiting = sigset_t()
    unsafe sigpending(&waiting)
    guard unsafe sigismember(&waiting, number) == 1 else { return }
    var only = sigset_t()
    var consumed: Int32 = 0
    unsafe sigemptyset(&only)
    unsafe sigaddset(&only, number)
    unsafe sigwait(&only, &consumed)
  }
}

/// Calls the system function `write` once, which may write only a part of the bytes. Needed because a type
/// with a method `write` cannot call the system function directly.
private func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
  unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
}
