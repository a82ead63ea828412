/// A type as Objective-C's `@encode` writes it, with Arc's extension for types that only Swift has.
///
///     let type = try TypeEncoding(parsing: "{CGPoint=dd}")
///     if case .structure(let name, let fields?) = type { print(name, fields.count) }   // CGPoint 2
///     print(TypeEncoding.list(.object(named: "Person")))                               // $[@"Person"]
///
/// ``description`` equals the parsed encoding, byte for byte. A type without a code, such as a vector or a
/// `_BitInt`, is ``uncoded``, and its description is empty. The codes of Arc's extension begin with `$`.
/// Clang never writes `$` as a type code. So the extension does not change the meaning of any encoding that
/// clang writes. Spec: appendix.
public enum TypeEncoding: Hashable, Sendable {
  /// A type without a code, the empty string.
  ///
  /// The types are vectors, `_BitInt`, C++ member pointers, and instance variables of Swift classes without
  /// an Objective-C base class.
  case uncoded
  /// A type of one letter: `i`, `d`, `*`, `:`.
  case scalar(Scalar)
  /// A reference to an object: `@`, `@"NSString"`, `@"<P><Q>"`, `@"C<P>"`.
  ///
  /// Names in angle brackets after a class are listed as protocols, because the string does not distinguish
  /// the class `C` with a protocol `P` from a generic class `Box<Int>`. See ``qualifiedClassName``.
  case object(className: String?, protocols: [String])
  /// A block: `@?`, or `@?<v@?@>`. The first type is the result, the second type is the block itself.
  case block(signature: [TypeEncoding]?)
  /// A pointer: `^T`, or only `^` if the pointee has no code.
  indirect case pointer(to: TypeEncoding)
  /// A C array: `[4i]`, or `[2]` if the element has no code.
  indirect case array(count: UInt64?, of: TypeEncoding)
  /// A structure: `{S=id}`. `{S=}` has no fields; in `{S}` the fields are unknown.
  case structure(name: String, fields: [Field]?)
  /// A union: `(U=id)`. `(U=)` has no fields; in `(U)` the fields are unknown.
  case union(name: String, fields: [Field]?)
  /// A bit-field: `b3` in Apple's runtime, `b32i3` with offset and type in GNU's runtime.
  case bitField(width: UInt64, gnu: GNUBitField?)
  /// A vector of old versions of GCC: `![16,16f]`, with size and alignment in bytes.
  indirect case vector(byteSize: UInt64, byteAlignment: UInt64, of: TypeEncoding)
  /// A qualified type: `r*`, or only the qualifier if the type has no code.
  indirect case qualified(Qualifier, TypeEncoding)
  /// A Swift optional: `$?T`, an extension by Arc.
  indirect case optional(TypeEncoding)
  /// A Swift array: `$[T]`, an extension by Arc.
  indirect case list(TypeEncoding)
  /// A Swift set: `$<T>`, an extension by Arc.
  indirect case set(TypeEncoding)
  /// A Swift dictionary: `$<K:V>`, an extension by Arc.
  indirect case dictionary(key: TypeEncoding, value: TypeEncoding)
  /// A Swift enumeration: `$(Name="circle"{?="radius"d}"none")`, an extension by Arc.
  ///
  /// `$(Name)` refers to an enclosing enumeration. A case without associated values has no type.
  case enumeration(name: String, cases: [Field]?)
  /// A weak reference within a value: `$~T`, an extension by Arc.
  indirect case weak(TypeEncoding)

  /// A member of a structure or union, or a case of an enumeration.
  public struct Field: Hashable, Sendable {
    /// The name of the member. Nil if the encoding contains no name, empty if it contains an empty name.
    public var name: String?
    /// The type of the member. A case without associated values has the type ``TypeEncoding/uncoded``.
    public var type: TypeEncoding
    /// Whether a structure of a merged archive may have no value for the field. An encoding does not contain
    /// this mark: it contains an optional instead, as in `withOptionalFields`.
    package var mayBeAbsent = false

    /// Creates a field from a name and a type.
    public init(name: String?, type: TypeEncoding) {
      self.name = name
      self.type = type
    }
  }

  /// The offset and type that a GNU runtime adds to the encoding of a bit-field.
  public struct GNUBitField: Hashable, Sendable {
    /// The distance of the bit-field from the start of its structure or union, in bits.
    public var bitOffset: UInt64
    /// The declared type of the bit-field.
    public var type: Scalar

    /// Creates the parts of a bit-field's encoding that only GNU runtimes use: the bit offset and the type.
    public init(bitOffset: UInt64, type: Scalar) {
      self.bitOffset = bitOffset
      self.type = type
    }
  }
}

extension TypeEncoding {
  /// Whether the type has no code, so that its encoding is empty.
  public var isUncoded: Bool { if case .uncoded = self { true } else { false } }

  /// The maximum nesting depth that ``init(parsing:)`` accepts. Each pointer, qualifier and bracket is one
  /// level.
  ///
  /// Spec: appendix, rule N7.
  public static let maximumDepth = 128

  /// Parses a type encoding. The whole text must be one type.
  ///
  ///     let type = try TypeEncoding(parsing: "$[q]")
  ///
  /// If the text is empty, the result is ``uncoded``. Spec: 03-classes, rule E1.
  ///
  /// - Parameter text: the encoding.
  /// - Complexity: O(*n*) in the length of the text, with recursion up to ``maximumDepth``.
  /// - Throws: ``TypeEncodingError`` with the position and the reason if the text is not an encoding.
  public init(parsing text: String) throws(TypeEncodingError) {
    try self.init(parsing: text, grammar: .runtime)
  }

  init(parsing text: String, grammar: TypeEncodingParser.Grammar) throws(TypeEncodingError) {
    var parser = TypeEncodingParser(text, grammar: grammar)
    self = try parser.tryingNameRules { parser throws(TypeEncodingError) in
      let type = try parser.type()
      guard parser.isAtEnd else {
        throw type.isUncoded
          ? parser.failure(.unknownTypeCode, at: parser.index, expected: "a type code")
          : parser.failure(.trailingText, at: parser.index, expected: "the end of the encoding")
      }
      return type
    }
  }
}
