/// A type as Objective-C's `@encode` writes it, with Arc's extension for what only Swift has.
///
/// The description is the encoding itself: whatever ``init(parsing:)`` accepts prints back byte for byte. A
/// type that the compiler has no code for (a vector, a `_BitInt`) is ``uncoded`` and prints as nothing. The
/// forms of the extension all start with `$`, which clang never writes as a type code, so no string of
/// clang's changes its meaning. Spec: appendix.
///
///     let type = try TypeEncoding(parsing: "{CGPoint=dd}")
///     if case .structure(let name, let fields?) = type { print(name, fields.count) }   // CGPoint 2
///     print(TypeEncoding.list(.object(named: "Person")))                               // $[@"Person"]
public enum TypeEncoding: Hashable, Sendable {
  /// A type that the compiler has no code for, the empty string: vectors, `_BitInt`, C++ member pointers, and
  /// instance variables of Swift classes without an Objective-C base.
  case uncoded
  /// A type of one letter: `i`, `d`, `*`, `:`.
  case scalar(Scalar)
  /// A reference to an object: `@`, `@"NSString"`, `@"<P><Q>"`, `@"C<P>"`.
  ///
  /// What a class has in angle brackets after it is listed as protocols, because the string does not tell
  /// `C<P>` the class with a protocol from `Box<Int>` the generic class: see ``qualifiedClassName``.
  case object(className: String?, protocols: [String])
  /// A block: `@?`, or `@?<v@?@>`, whose first type is the result and whose second is the block itself.
  case block(signature: [TypeEncoding]?)
  /// A pointer: `^T`, or `^` alone where the pointee has no code.
  indirect case pointer(to: TypeEncoding)
  /// A C array: `[4i]`, or `[2]` where the element has no code.
  indirect case array(count: UInt64?, of: TypeEncoding)
  /// A structure: `{S=id}`; `{S=}` has no fields, in `{S}` they are not told.
  case structure(name: String, fields: [Field]?)
  /// A union: `(U=id)`; `(U=)` has no fields, in `(U)` they are not told.
  case union(name: String, fields: [Field]?)
  /// A bit-field: `b3` as Apple's runtime has it, `b32i3` with offset and type as GNU's has it.
  case bitField(width: UInt64, gnu: GNUBitField?)
  /// A vector as old versions of GCC wrote it: `![16,16f]` with size and alignment in bytes.
  indirect case vector(byteSize: UInt64, byteAlignment: UInt64, of: TypeEncoding)
  /// A qualified type: `r*`; the qualifier is alone where the type has no code.
  indirect case qualified(Qualifier, TypeEncoding)
  /// Arc: a Swift optional, `$?T`.
  indirect case optional(TypeEncoding)
  /// Arc: a Swift array, `$[T]`.
  indirect case list(TypeEncoding)
  /// Arc: a Swift set, `$<T>`.
  indirect case set(TypeEncoding)
  /// Arc: a Swift dictionary, `$<K:V>`.
  indirect case dictionary(key: TypeEncoding, value: TypeEncoding)
  /// Arc: a Swift enumeration, `$(Name="circle"{?="radius"d}"none")`; `$(Name)` mentions an enclosing one.
  ///
  /// A case without associated values has no type.
  case enumeration(name: String, cases: [Field]?)
  /// Arc: a weak link inside a value, `$~T`.
  indirect case weak(TypeEncoding)

  /// A member of a structure or union, or a case of an enumeration.
  public struct Field: Hashable, Sendable {
    /// The name, empty for an unnamed member of a named record, `nil` where the string has no names.
    public var name: String?
    /// The type; ``TypeEncoding/uncoded`` also for a case without associated values.
    public var type: TypeEncoding

    /// Makes a field of a name and a type.
    public init(name: String?, type: TypeEncoding) {
      self.name = name
      self.type = type
    }
  }

  /// What a GNU runtime tells of a bit-field besides its width.
  public struct GNUBitField: Hashable, Sendable {
    /// The distance from the start of the record that declares the field, in bits.
    public var bitOffset: UInt64
    /// The declared type of the field.
    public var type: Scalar

    /// Makes the GNU part of a bit-field.
    public init(bitOffset: UInt64, type: Scalar) {
      self.bitOffset = bitOffset
      self.type = type
    }
  }
}

extension TypeEncoding {
  /// Whether the type has no code.
  public var isUncoded: Bool { if case .uncoded = self { true } else { false } }

  /// The maximum nesting that ``init(parsing:)`` accepts: each pointer, qualifier and bracket is a level.
  /// Spec: appendix, rule N7.
  public static let maximumDepth = 128

  /// Reads a type encoding; the whole text must be one type. The empty text is ``uncoded``. Spec: 03-classes,
  /// rule E1.
  ///
  /// - Complexity: O(*n*) in the length of the text; no recursion deeper than ``maximumDepth``.
  /// - Throws: ``TypeEncodingError`` with the index and the reason where the text is not an encoding.
  public init(parsing text: String) throws(TypeEncodingError) {
    try self.init(parsing: text, grammar: .runtime)
  }

  init(parsing text: String, grammar: TypeEncodingParser.Grammar) throws(TypeEncodingError) {
    var parser = TypeEncodingParser(text, grammar: grammar)
    self = try parser.reconsideringNames { parser throws(TypeEncodingError) in
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
