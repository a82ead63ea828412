/// The facts of an encoding in 64 bits: the kind and qualifiers of the type, and a property's attributes.
///
/// | bits | contents |
/// |---|---|
/// | 0–7 | the ``kind``, a number and not a set of bits |
/// | 8–18 | the qualifiers before the type: `r n N o O R V A j + |` |
/// | 32–43 | the property attributes: `R C & N W G S D ? P t V` |
/// | others | unused and zero |
///
/// One bitwise AND tests the kind and an attribute together:
///
///     flags.intersection([.kindMask, .readOnly]) == .readOnlyObject   // a read-only reference?
///
/// The kind is a number, but set operations treat the kind as separate bits. So compare kinds with ``kind``
/// or ``kindMask``, not with `contains`.
public struct EncodingFlags: OptionSet, Hashable, Sendable {
  /// The 64 bits: the kind, the qualifiers and the property attributes.
  public let rawValue: UInt64

  /// Creates flags from 64 bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates flags with a kind, but without qualifiers and attributes.
  public init(kind: Kind) { self.init(rawValue: UInt64(kind.rawValue)) }

  /// The kind of the type. `.none` if this version of Arc does not know the number in bits 0 to 7.
  public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: rawValue)) ?? .none }

  /// A mask with all bits of the kind.
  public static let kindMask = Self(rawValue: 0xFF)
  /// A mask with all bits of the qualifiers.
  public static let qualifierMask = Self(rawValue: 0x7_FF00)
  /// A mask with all bits of the property attributes.
  public static let propertyMask = Self(rawValue: 0x0FFF_0000_0000)
  /// The flags of a read-only property that refers to an object: ``Kind/object`` and ``readOnly``.
  public static let readOnlyObject: Self = [.init(kind: .object), .readOnly]

  /// Bit 8: the type has the qualifier `r` (`const`).
  public static let const = Self(rawValue: 1 << 8)
  /// Bit 9: the type has the qualifier `n` (`in`), for an argument that the method only reads.
  public static let `in` = Self(rawValue: 1 << 9)
  /// Bit 10: the type has the qualifier `N` (`inout`), for an argument that the method reads and writes.
  public static let `inout` = Self(rawValue: 1 << 10)
  /// Bit 11: the type has the qualifier `o` (`out`), for an argument that the method only writes.
  public static let out = Self(rawValue: 1 << 11)
  /// Bit 12: the type has the qualifier `O` (`bycopy`), for an object that distributed calls copy.
  public static let byCopy = Self(rawValue: 1 << 12)
  /// Bit 13: the type has the qualifier `R` (`byref`), for an object that distributed calls do not copy.
  public static let byReference = Self(rawValue: 1 << 13)
  /// Bit 14: the type has the qualifier `V` (`oneway`), for a distributed call without a reply.
  public static let oneWay = Self(rawValue: 1 << 14)
  /// Bit 15: the type has the qualifier `A` (`_Atomic`).
  public static let atomic = Self(rawValue: 1 << 15)
  /// Bit 16: the type has the qualifier `j` (`_Complex`).
  public static let complex = Self(rawValue: 1 << 16)
  /// Bit 17: the type has the qualifier `+`, for an argument that a GNU runtime passes in a register.
  public static let register = Self(rawValue: 1 << 17)
  /// Bit 18: the type has the qualifier `|`, for a pointer that the garbage collector does not follow.
  public static let invisibleToCollector = Self(rawValue: 1 << 18)

  /// Bit 32: attribute `R`, the property cannot be set.
  public static let readOnly = Self(rawValue: 1 << 32)
  /// Bit 33: attribute `C`, the setter copies the new value.
  public static let copy = Self(rawValue: 1 << 33)
  /// Bit 34: attribute `&`, the property retains its object.
  public static let retain = Self(rawValue: 1 << 34)
  /// Bit 35: attribute `N`, the accessors use no lock.
  public static let nonatomic = Self(rawValue: 1 << 35)
  /// Bit 36: attribute `W`, the property refers to its object without retaining the object.
  public static let weak = Self(rawValue: 1 << 36)
  /// Bit 37: attribute `G`, the getter has a custom name.
  public static let customGetter = Self(rawValue: 1 << 37)
  /// Bit 38: attribute `S`, the setter has a custom name.
  public static let customSetter = Self(rawValue: 1 << 38)
  /// Bit 39: attribute `D`, the accessors are provided at run time.
  public static let dynamic = Self(rawValue: 1 << 39)
  /// Bit 40: attribute `?`, the property is optional in its protocol.
  public static let optional = Self(rawValue: 1 << 40)
  /// Bit 41: attribute `P`, the property is strong under garbage collection. Apple documents this attribute,
  /// but clang never writes it.
  public static let collectable = Self(rawValue: 1 << 41)
  /// Bit 42: attribute `t`, the property has an old-style type. Apple documents this attribute, but clang
  /// never writes it.
  public static let oldStyleType = Self(rawValue: 1 << 42)
  /// Bit 43: attribute `V`, an instance variable stores the property.
  public static let stored = Self(rawValue: 1 << 43)
}

extension EncodingFlags {
  /// The kind of a type without its qualifiers, such as ``pointer`` for `r^i` and ``double`` for `jd`.
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
