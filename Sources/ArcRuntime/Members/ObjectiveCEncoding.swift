/// An encoding string of the Objective-C runtime: a type, a method's type, or the attributes of a property.
///
///     try ObjectiveCEncoding(parsing: "Ti,R,V_age").kind    // property
///     try ObjectiveCEncoding(parsing: "v16@0:8").kind       // method
public enum ObjectiveCEncoding: Hashable, Sendable {
  /// The kind of an encoding string.
  public enum Kind: String, CaseIterable, Sendable {
    /// A type encoding.
    case type
    /// The type of a method or block.
    case method
    /// The attributes of a property.
    case property
  }

  /// A type encoding.
  case type(TypeEncoding)
  /// The type of a method or block.
  case method(MethodType)
  /// The attributes of a property.
  case property(PropertyAttributes)

  /// The kind of the string.
  public var kind: Kind {
    switch self {
    case .type: .type
    case .method: .method
    case .property: .property
    }
  }

  /// Parses a string as an encoding of a known kind.
  public init(parsing text: String, as kind: Kind) throws(TypeEncodingError) {
    switch kind {
    case .type: self = .type(try TypeEncoding(parsing: text))
    case .method: self = .method(try MethodType(parsing: text))
    case .property: self = .property(try PropertyAttributes(parsing: text))
    }
  }

  /// Parses a string of an unknown kind: as a type, then as property attributes, then as a method's type.
  ///
  /// Property attributes must begin with an attribute letter and contain `T`. The type of a method must
  /// contain a number, or its arguments must begin with self and a selector, or with a block. `T` alone is a
  /// type: an unsigned 128-bit integer.
  ///
  /// - Parameter text: the string.
  /// - Throws: the ``TypeEncodingError`` with the largest position, among the errors of the attempts.
  public init(parsing text: String) throws(TypeEncodingError) {
    var furthest: TypeEncodingError
    do throws(TypeEncodingError) {
      self = try Self(parsing: text, as: .type)
      return
    } catch {
      furthest = error
    }
    for kind in [Kind.property, .method] {
      do throws(TypeEncodingError) {
        let parsed = try Self(parsing: text, as: kind)
        guard parsed.isPlausible else { continue }
        self = parsed
        return
      } catch {
        if error.byteOffset > furthest.byteOffset, kind == .method || text.utf8.first == UInt8(ascii: "T") {
          furthest = error
        }
      }
    }
    throw furthest
  }

  private var isPlausible: Bool {
    switch self {
    case .type: true
    case .property(let attributes):
      attributes.type != nil
        && attributes.attributes.first.map { $0.letter == UInt8(ascii: "T") || !$0.flag.isEmpty } ?? false
    case .method(let method):
      method.frameSize != nil || method.isMethod || method.isBlock
        || method.arguments.contains { $0.offset != nil }
    }
  }
}

extension ObjectiveCEncoding: CustomStringConvertible {
  /// The encoding string, such as `v24@0:8@16`.
  public var description: String {
    switch self {
    case .type(let type): type.description
    case .method(let method): method.description
    case .property(let attributes): attributes.description
    }
  }

  /// The meaning of the string in words.
  public var explanation: String {
    switch self {
    case .type(let type): type.explanation
    case .method(let method): method.explanation
    case .property(let attributes): attributes.explanation
    }
  }

  /// The kind and qualifiers of the type as flags.
  ///
  /// For a method, the flags describe the type of the result. For a property, the flags also contain the
  /// attributes of the property.
  public var flags: EncodingFlags {
    switch self {
    case .type(let type): EncodingFlags(describing: type)
    case .method(let method): EncodingFlags(describing: method.result)
    case .property(let attributes): attributes.flags
    }
  }
}
