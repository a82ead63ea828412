extension TypeEncoding {
  /// A type that is encoded as one character. The raw value is the ASCII code of the character.
  public enum Scalar: UInt8, CaseIterable, Sendable {
    /// `c`: `char`, and `BOOL` on targets where it is a `signed char`.
    case character = 0x63
    /// `s`: `short`.
    case short = 0x73
    /// `i`: `int`, and `enum` without a fixed type.
    case int = 0x69
    /// `l`: a 32-bit `long`.
    case long = 0x6C
    /// `q`: `long long`, and a 64-bit `long`.
    case longLong = 0x71
    /// `t`: `__int128`.
    case int128 = 0x74
    /// `C`: `unsigned char`.
    case unsignedCharacter = 0x43
    /// `S`: `unsigned short`.
    case unsignedShort = 0x53
    /// `I`: `unsigned int`.
    case unsignedInt = 0x49
    /// `L`: a 32-bit `unsigned long`.
    case unsignedLong = 0x4C
    /// `Q`: `unsigned long long`, and a 64-bit `unsigned long`.
    case unsignedLongLong = 0x51
    /// `T`: `unsigned __int128`.
    case unsignedInt128 = 0x54
    /// `f`: `float`.
    case float = 0x66
    /// `d`: `double`.
    case double = 0x64
    /// `D`: `long double`. The size of `long double` depends on the target.
    case longDouble = 0x44
    /// `B`: `bool`, and `BOOL` on targets where it is a `bool`.
    case bool = 0x42
    /// `v`: `void`.
    case void = 0x76
    /// `*`: a pointer to any kind of `char`.
    case cString = 0x2A
    /// `#`: `Class`.
    case classObject = 0x23
    /// `:`: `SEL`.
    case selector = 0x3A
    /// `?`: a function type, or an unknown type.
    case unknown = 0x3F
    /// `%`: `NXAtom`. No current compiler writes this code.
    case atom = 0x25
    /// The code " " (a space), which compilers write for `_Float16`, `__fp16`, `__bf16` and `__float128`.
    case half = 0x20

    /// Whether a C bit-field can be declared with the type.
    var isInteger: Bool {
      switch self {
      case .character, .short, .int, .long, .longLong, .int128, .bool: true
      case .unsignedCharacter, .unsignedShort, .unsignedInt, .unsignedLong, .unsignedLongLong: true
      case .unsignedInt128: true
      default: false
      }
    }

    /// Whether a column can hold values of the type. Spec: 03-classes, section 4.
    var isColumnValue: Bool {
      switch self {
      case .long, .unsignedLong: false
      case .half, .float, .double: true
      default: isInteger
      }
    }
  }

  /// A qualifier of a type, such as `const`, which is one character before the type.
  ///
  /// The raw value is the ASCII code of the character.
  public enum Qualifier: UInt8, CaseIterable, Sendable {
    /// `r`: `const`. Applies to the innermost pointee.
    case const = 0x72
    /// `n`: `in`.
    case `in` = 0x6E
    /// `N`: `inout`.
    case `inout` = 0x4E
    /// `o`: `out`.
    case out = 0x6F
    /// `O`: `bycopy`.
    case byCopy = 0x4F
    /// `R`: `byref`.
    case byReference = 0x52
    /// `V`: `oneway`.
    case oneWay = 0x56
    /// `A`: `_Atomic`. If a record has this qualifier, clang omits the record's fields.
    case atomic = 0x41
    /// `j`: `_Complex`.
    case complex = 0x6A
    /// `+`: the argument is passed in a register. Only old GNU compilers write this code.
    case register = 0x2B
    /// `|`: a pointer that the garbage collector does not follow. Only old compilers write this code.
    case invisibleToCollector = 0x7C
  }
}
