/// What one encoding says, in one word: the kind of the type, its qualifiers, and a property's attributes.
///
/// | bits | hold |
/// |---|---|
/// | 0–7 | the ``kind``, a number and not a set of bits |
/// | 8–18 | the qualifiers in front of the type: `r n N o O R V A j + |` |
/// | 32–43 | the property attributes: `R C & N W G S D ? P t V` |
/// | others | unused and zero |
///
/// One AND answers a question about all three:
///
///     flags.intersection([.kindMask, .readOnly]) == .readOnlyObject   // is it a read-only object?
///
/// Set operations treat the kind as bits: compare kinds with ``kind`` or by ``kindMask``, not by `contains`.
public struct EncodingFlags: OptionSet, Hashable, Sendable {
  /// The bits of the table above.
  public let rawValue: UInt64

  /// Makes flags of their bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Makes flags that hold a kind and nothing else.
  public init(kind: Kind) { self.init(rawValue: UInt64(kind.rawValue)) }

  /// The kind of the type, `.none` for a number that this version does not know.
  public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: rawValue)) ?? .none }

  /// All bits of the kind.
  public static let kindMask = Self(rawValue: 0xFF)
  /// All bits of the qualifiers.
  public static let qualifierMask = Self(rawValue: 0x7_FF00)
  /// All bits of the property attributes.
  public static let propertyMask = Self(rawValue: 0x0FFF_0000_0000)
  /// The kind of an object reference together with ``readOnly``.
  public static let readOnlyObject: Self = [.init(kind: .object), .readOnly]

  /// Bit 8: the type is qualified by `r`.
  public static let const = Self(rawValue: 1 << 8)
  /// Bit 9: the type is qualified by `n`.
  public static let `in` = Self(rawValue: 1 << 9)
  /// Bit 10: the type is qualified by `N`.
  public static let `inout` = Self(rawValue: 1 << 10)
  /// Bit 11: the type is qualified by `o`.
  public static let out = Self(rawValue: 1 << 11)
  /// Bit 12: the type is qualified by `O`.
  public static let byCopy = Self(rawValue: 1 << 12)
  /// Bit 13: the type is qualified by `R`.
  public static let byReference = Self(rawValue: 1 << 13)
  /// Bit 14: the type is qualified by `V`.
  public static let oneWay = Self(rawValue: 1 << 14)
  /// Bit 15: the type is qualified by `A`.
  public static let atomic = Self(rawValue: 1 << 15)
  /// Bit 16: the type is qualified by `j`.
  public static let complex = Self(rawValue: 1 << 16)
  /// Bit 17: the type is qualified by `+`.
  public static let register = Self(rawValue: 1 << 17)
  /// Bit 18: the type is qualified by `|`.
  public static let invisibleToCollector = Self(rawValue: 1 << 18)

  /// Bit 32: the property cannot be set, `R`.
  public static let readOnly = Self(rawValue: 1 << 32)
  /// Bit 33: the setter copies, `C`.
  public static let copy = Self(rawValue: 1 << 33)
  /// Bit 34: the property keeps its object, `&`.
  public static let retain = Self(rawValue: 1 << 34)
  /// Bit 35: the accessors take no lock, `N`.
  public static let nonatomic = Self(rawValue: 1 << 35)
  /// Bit 36: the property does not keep its object, `W`.
  public static let weak = Self(rawValue: 1 << 36)
  /// Bit 37: the getter has a name of its own, `G`.
  public static let customGetter = Self(rawValue: 1 << 37)
  /// Bit 38: the setter has a name of its own, `S`.
  public static let customSetter = Self(rawValue: 1 << 38)
  /// Bit 39: the accessors come at run time, `D`.
  public static let dynamic = Self(rawValue: 1 << 39)
  /// Bit 40: an optional property of a protocol, `?`.
  public static let optional = Self(rawValue: 1 << 40)
  /// Bit 41: strong under garbage collection, `P`; documented by Apple, never written by clang.
  public static let collectable = Self(rawValue: 1 << 41)
  /// Bit 42: has an old-style type, `t`; documented by Apple, never written by clang.
  public static let oldStyleType = Self(rawValue: 1 << 42)
  /// Bit 43: is kept in an instance variable, `V`.
  public static let stored = Self(rawValue: 1 << 43)
}

extension EncodingFlags {
  /// What a type is when its qualifiers are taken away: `^` for `r^i`, `d` for `jd`.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// There is no type code.
    case none = 0
    /// `v`.
    case void = 1
    /// `B`.
    case bool = 2
    /// `c`.
    case int8 = 3
    /// `C`.
    case uint8 = 4
    /// `s`.
    case int16 = 5
    /// `S`.
    case uint16 = 6
    /// `i`.
    case int32 = 7
    /// `I`.
    case uint32 = 8
    /// `q`.
    case int64 = 9
    /// `Q`.
    case uint64 = 10
    /// `t`.
    case int128 = 11
    /// `T`.
    case uint128 = 12
    /// A space.
    case half = 13
    /// `f`.
    case float = 14
    /// `d`.
    case double = 15
    /// `D`.
    case longDouble = 16
    /// `l`, whose size depends on the target.
    case long = 17
    /// `@`.
    case object = 18
    /// `@?`.
    case block = 19
    /// `#`.
    case classObject = 20
    /// `:`.
    case selector = 21
    /// `*` and `%`.
    case cString = 22
    /// `^`.
    case pointer = 23
    /// `[`.
    case array = 24
    /// `{`.
    case structure = 25
    /// `(`.
    case union = 26
    /// `b`.
    case bitField = 27
    /// `!`.
    case vector = 28
    /// `?`.
    case unknown = 29
    /// `$?`.
    case optional = 30
    /// `$[`.
    case list = 31
    /// `$<T>`.
    case set = 32
    /// `$<K:V>`.
    case dictionary = 33
    /// `$(`.
    case enumeration = 34
    /// `$~`.
    case weak = 35
    /// `L`, whose size depends on the target.
    case unsignedLong = 36
  }
}
