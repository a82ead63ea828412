/// The sizes and alignments of C types on a target. A type encoding does not contain these numbers.
///
///     let type = try TypeEncoding(parsing: "{S=cq}")
///     type.layout(for: .lp64)?.size        // 16
///     type.layout(for: .appleI386)?.size   // 12, because `long long` is aligned to 4 bytes
public struct TargetABI: Hashable, Sendable {
  /// The size and alignment of pointers, objects, selectors and C strings, in bytes.
  public var pointerBytes: UInt64
  /// The alignment of `long long` (`q`, `Q`) and `double` (`d`), in bytes. The size of both is 8 bytes.
  public var eightByteAlignment: UInt64
  /// The size of `long double` (`D`), in bytes.
  public var longDoubleBytes: UInt64
  /// The alignment of `long double` (`D`), in bytes.
  public var longDoubleAlignment: UInt64
  /// The maximum size, in bytes, of a type that `_Atomic` rounds up to a power of two.
  public var widestAtomicBytes: UInt64

  /// Creates a target from its sizes and alignments in bytes.
  public init(
    pointerBytes: UInt64, eightByteAlignment: UInt64, longDoubleBytes: UInt64, longDoubleAlignment: UInt64,
    widestAtomicBytes: UInt64
  ) {
    self.pointerBytes = pointerBytes
    self.eightByteAlignment = eightByteAlignment
    self.longDoubleBytes = longDoubleBytes
    self.longDoubleAlignment = longDoubleAlignment
    self.widestAtomicBytes = widestAtomicBytes
  }
}

extension TargetABI {
  /// The ABI of macOS and of simulators on Intel.
  ///
  /// The ABI differs from ``appleARM64`` only in the layout of `long double` (`D`).
  public static let appleX86_64 = Self(
    pointerBytes: 8, eightByteAlignment: 8, longDoubleBytes: 16, longDoubleAlignment: 16,
    widestAtomicBytes: 16)
  /// The ABI of macOS, iOS, tvOS and visionOS on ARM. `long double` has the layout of `double`.
  public static let appleARM64 = Self(
    pointerBytes: 8, eightByteAlignment: 8, longDoubleBytes: 8, longDoubleAlignment: 8, widestAtomicBytes: 16)
  /// The ABI of watchOS on 64-bit processors, with 32-bit pointers.
  public static let appleARM64_32 = Self(
    pointerBytes: 4, eightByteAlignment: 8, longDoubleBytes: 8, longDoubleAlignment: 8, widestAtomicBytes: 16)
  /// The ABI of macOS on 32-bit Intel, up to macOS 10.14.
  public static let appleI386 = Self(
    pointerBytes: 4, eightByteAlignment: 4, longDoubleBytes: 16, longDoubleAlignment: 16, widestAtomicBytes: 8
  )
  /// The ABI of iOS on 32-bit ARM, up to iOS 10.
  public static let appleARMv7 = Self(
    pointerBytes: 4, eightByteAlignment: 4, longDoubleBytes: 8, longDoubleAlignment: 4, widestAtomicBytes: 8)
  /// The ABI of watchOS on 32-bit ARM.
  public static let appleARMv7k = Self(
    pointerBytes: 4, eightByteAlignment: 8, longDoubleBytes: 8, longDoubleAlignment: 8, widestAtomicBytes: 8)
  /// The ABI of Linux on 64-bit Intel, for GNUstep, with the sizes and alignments of ``appleX86_64``.
  public static let linuxX86_64 = appleX86_64
  /// The ABI of Linux on 64-bit ARM, for GNUstep, with the sizes and alignments of ``appleX86_64``.
  public static let linuxARM64 = appleX86_64
  /// The ABI of Linux on 32-bit Intel, for GNUstep.
  public static let linuxI686 = Self(
    pointerBytes: 4, eightByteAlignment: 4, longDoubleBytes: 12, longDoubleAlignment: 4, widestAtomicBytes: 8)
  /// The default 64-bit target: ``appleX86_64``.
  public static let lp64 = appleX86_64

  /// Creates the target of a triple such as `arm64-apple-macosx11.0`. Nil if the architecture is unknown.
  ///
  /// - Parameter triple: the triple.
  public init?(triple: String) {
    let parts = triple.split(separator: "-", omittingEmptySubsequences: false)
    guard let architecture = parts.first else { return nil }
    let isApple = parts.contains("apple")
    switch architecture {
    case "x86_64", "x86_64h": self = isApple ? .appleX86_64 : .linuxX86_64
    case "arm64_32": self = .appleARM64_32
    case "arm64", "arm64e", "aarch64": self = isApple ? .appleARM64 : .linuxARM64
    case "i386", "i686": self = isApple ? .appleI386 : .linuxI686
    case "armv7k": self = .appleARMv7k
    case "armv7", "armv7s", "armv6": self = .appleARMv7
    default: return nil
    }
  }
}
