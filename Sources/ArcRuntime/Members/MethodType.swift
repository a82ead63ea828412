/// The type of a method or block, as the Objective-C runtime stores it: `v24@0:8@16`.
///
///     let type = try MethodType(parsing: #"v24@0:8@"NSString"16"#)
///     type.result                            // v
///     type.frameSize?.value                  // 24
///     type.explicitArguments.map(\.type)     // [@"NSString"]
///
/// The description is the string itself, byte for byte. The first number is the size of all arguments. Each
/// other number is the sum of the sizes of the previous arguments, not an offset in a stack frame.
public struct MethodType: Hashable, Sendable {
  /// The type of the result, with its qualifiers.
  public var result: TypeEncoding
  /// The number after the result: the size of all arguments. Nil if there is no number.
  public var frameSize: Offset?
  /// All arguments, including hidden arguments: `self` and the selector of a method, or the block itself.
  public var arguments: [Argument]

  /// Creates a type from its parts.
  public init(result: TypeEncoding, frameSize: Offset?, arguments: [Argument]) {
    self.result = result
    self.frameSize = frameSize
    self.arguments = arguments
  }

  /// An argument and its offset.
  public struct Argument: Hashable, Sendable {
    /// The type of the argument, with its qualifiers.
    public var type: TypeEncoding
    /// The number after the type. Nil if there is no number.
    public var offset: Offset?

    /// Creates an argument.
    public init(type: TypeEncoding, offset: Offset?) {
      self.type = type
      self.offset = offset
    }
  }

  /// A number in a method's type, as it is written: `16`, `-8`, `+8` for a register (GNU), `08`.
  public struct Offset: Hashable, Sendable {
    private let text: String

    init(text: String) { self.text = text }

    /// Creates a number in its usual notation.
    public init(_ value: Int) { text = String(value) }

    /// The value of the number. Nil if it does not fit.
    public var value: Int? { Int(text) }
    /// Whether the argument is passed in a register: a `+` is before the number. Historic.
    public var isInRegister: Bool { text.utf8.first == UInt8(ascii: "+") }
  }
}

/// What the parts mean.
extension MethodType {
  /// Whether the type is the type of a block. The first argument is then the block itself.
  public var isBlock: Bool {
    if case .block? = arguments.first?.type { true } else { false }
  }

  /// Whether the type is the type of a method. The first arguments are then `self` and the selector.
  public var isMethod: Bool {
    guard arguments.count >= 2, arguments[1].type == .scalar(.selector) else { return false }
    switch arguments[0].type {
    case .object, .scalar(.classObject): return true
    default: return false
    }
  }

  /// The declared arguments, without `self` and the selector, or without the block itself.
  public var explicitArguments: ArraySlice<Argument> { arguments.dropFirst(isBlock ? 1 : isMethod ? 2 : 0) }

  /// Returns whether all offsets are present and match the sizes of the arguments. Nil if a size is unknown.
  ///
  /// - Parameter target: the target whose sizes are used.
  /// - Returns: whether the offsets match.
  public func hasComputedOffsets(for target: TargetABI = .lp64) -> Bool? {
    let computed = MethodType(result: result, arguments: arguments.map(\.type), target: target)
    guard computed.frameSize != nil else { return nil }
    return computed == self
  }
}

extension MethodType.Offset: CustomStringConvertible {
  /// The number as it is written.
  public var description: String { text }
}

extension MethodType: CustomStringConvertible {
  /// The encoding string.
  public var description: String {
    var text = ""
    result.write(to: &text)
    text += frameSize?.description ?? ""
    for argument in arguments {
      argument.type.write(to: &text)
      text += argument.offset?.description ?? ""
    }
    return text
  }
}
