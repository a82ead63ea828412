/// The facts of an encoding in one word: the kind of the type, its qualifiers, and a property's attributes.
///
/// | bits | contents |
/// |---|---|
/// | 0–7 | the ``kind``, a number and not a set of bits |
/// | 8–18 | the qualifiers before the type: `r n N o O R V A j + |` |
/// | 32–43 | the property attributes: `R C & N W G S D ? P t V` |
/// | others | unused and zero |
///
/// One bitwise AND tests all three:
///
///     flags.intersection([.kindMask, .readOnly]) == .readOnlyObject   // is it a read-only object?
///
/// Set operations treat the kind as bits. Compare kinds with ``kind`` or ``kindMask``, not with `contains`.
public struct EncodingFlags: OptionSet, Hashable, Sendable {
  /// The bits of the table above.
  public let rawValue: UInt64

  /// Creates flags from bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates flags that contain only a kind.
  public init(kind: Kind) { self.init(rawValue: UInt64(kind.rawValue)) }

  /// The kind of the type. `.none` if this version does not know the number.
  public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: rawValue)) ?? .none }

  /// All bits of the kind.
  public static let kindMask = Self(rawValue: 0xFF)
  /// All bits of the qualifiers.
  public static let qualifierMask = Self(rawValue: 0x7_FF00)
  /// All bits of the property attributes.
  public static let propertyMask = Self(rawValue: 0x0FFF_0000_0000)
  /// The kind `object` together with ``readOnly``.
  public static let readOnlyObject: Self = [.init(kind: .object), .readOnly]

  /// Bit 8: the type has the qualifier `r`: `const`.
  public static let const = Self(rawValue: 1 << 8)
  /// Bit 9: the type has the qualifier `n`: `in`, an argument that the method only reads.
  public static let `in` = Self(rawValue: 1 << 9)
  /// Bit 10: the type has the qualifier `N`: `inout`, an argument that the method reads and writes.
  public static let `inout` = Self(rawValue: 1 << 10)
  /// Bit 11: the type has the qualifier `o`: `out`, an argument that the method only writes.
  public static let out = Self(rawValue: 1 << 11)
  /// Bit 12: the type has the qualifier `O`: `bycopy`, an object that distributed calls copy.
  public static let byCopy = Self(rawValue: 1 << 12)
  /// Bit 13: the type has the qualifier `R`: `byref`, an object that distributed calls refer to.
  public static let byReference = Self(rawValue: 1 << 13)
  /// Bit 14: the type has the qualifier `V`: `oneway`, a distributed call without a reply.
  public static let oneWay = Self(rawValue: 1 << 14)
  /// Bit 15: the type has the qualifier `A`: `_Atomic`.
  public static let atomic = Self(rawValue: 1 << 15)
  /// Bit 16: the type has the qualifier `j`: `_Complex`.
  public static let complex = Self(rawValue: 1 << 16)
  /// Bit 17: the type has the qualifier `+`: a register of a GNU runtime.
  public static let register = Self(rawValue: 1 << 17)
  /// Bit 18: the type has the qualifier `|`: a pointer that the garbage collector does not follow.
  public static let invisibleToCollector = Self(rawValue: 1 << 18)

  /// Bit 32: the property cannot be set, `R`.
  public static let readOnly = Self(rawValue: 1 << 32)
  /// Bit 33: the setter copies, `C`.
  public static let copy = Self(rawValue: 1 << 33)
  /// Bit 34: the property retains its object, `&`.
  public static let retain = Self(rawValue: 1 << 34)
  /// Bit 35: the accessors take no lock, `N`.
  public static let nonatomic = Self(rawValue: 1 << 35)
  /// Bit 36: the property does not retain its object, `W`.
  public static let weak = Self(rawValue: 1 << 36)
  /// Bit 37: the getter has its own name, `G`.
  public static let customGetter = Self(rawValue: 1 << 37)
  /// Bit 38: the setter has its own name, `S`.
  public static let customSetter = Self(rawValue: 1 << 38)
  /// Bit 39: the accessors are provided at run time, `D`.
  public static let dynamic = Self(rawValue: 1 << 39)
  /// Bit 40: the property is optional in a protocol, `?`.
  public static let optional = Self(rawValue: 1 << 40)
  /// Bit 41: the property is strong under garbage collection, `P`. Documented by Apple, never written by
  /// clang.
  public static let collectable = Self(rawValue: 1 << 41)
  /// Bit 42: the property has an old-style type, `t`. Documented by Apple, never written by clang.
  public static let oldStyleType = Self(rawValue: 1 << 42)
  /// Bit 43: an instance variable stores the property, `V`.
  public static let stored = Self(rawValue: 1 << 43)
}

extension EncodingFlags {
  /// The kind of a type without its qualifiers: `^` for `r^i`, `d` for `jd`.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// No type code.
    case none = 0
    /// The type code `v`.
    case void = 1
    /// The type code `B`.
    case bool = 2
    /// The type code `c`.
    case int8 = 3
    /// The type code `C`.
    case uint8 = 4
    /// The type code `s`.
    case int16 = 5
    /// The type code `S`.
    case uint16 = 6
    /// The type code `i`.
    case int32 = 7
    /// The type code `I`.
    case uint32 = 8
    /// The type code `q`.
    case int64 = 9
    /// The type code `Q`.
    case uint64 = 10
    /// The type code `t`.
    case int128 = 11
    /// The type code `T`.
    case uint128 = 12
    /// The type code " " (a space).
    case half = 13
    /// The type code `f`.
    case float = 14
    /// The type code `d`.
    case double = 15
    /// The type code `D`.
    case longDouble = 16
    /// The type code `l`: a `long` of 32 bits.
    case long = 17
    /// The type code `@`.
    case object = 18
    /// The type code `@?`.
    case block = 19
    /// The type code `#`.
    case classObject = 20
    /// The type code `:`.
    case selector = 21
    /// The type codes `*` and `%`.
    case cString = 22
    /// The type code `^`.
    case pointer = 23
    /// The type code `[`.
    case array = 24
    /// The type code `{`.
    case structure = 25
    /// The type code `(`.
    case union = 26
    /// The type code `b`.
    case bitField = 27
    /// The type code `!`.
    case vector = 28
    /// The type code `?`.
    case unknown = 29
    /// The type code `$?`.
    case optional = 30
    /// The type code `$[`.
    case list = 31
    /// The type code `$<T>`.
    case set = 32
    /// The type code `$<K:V>`.
    case dictionary = 33
    /// The type code `$(`.
    case enumeration = 34
    /// The type code `$~`.
    case weak = 35
    /// The type code `L`: an `unsigned long` of 32 bits.
    case unsignedLong = 36
  }
}
