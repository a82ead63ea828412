/// The type of a method or block, as the Objective-C runtime stores it: `v24@0:8@16`.
///
///     let type = try MethodType(parsing: #"v24@0:8@"NSString"16"#)
///     type.result                            // v
///     type.frameSize?.value                  // 24
///     type.explicitArguments.map(\.type)     // [@"NSString"]
///
/// ``description`` equals the parsed string, byte for byte. The first number is the size of all arguments.
/// Each later number is the sum of the sizes of the previous arguments, not an offset in a stack frame.
public struct MethodType: Hashable, Sendable {
  /// The type of the result, with its qualifiers.
  public var result: TypeEncoding
  /// The size of all arguments: the number after the result. Nil if the string contains no number there.
  public var frameSize: Offset?
  /// All arguments, including hidden arguments: `self` and the selector of a method, or the block itself.
  public var arguments: [Argument]

  /// Creates a type from its result, frame size and arguments.
  public init(result: TypeEncoding, frameSize: Offset?, arguments: [Argument]) {
    self.result = result
    self.frameSize = frameSize
    self.arguments = arguments
  }

  /// An argument and its offset.
  public struct Argument: Hashable, Sendable {
    /// The type of the argument, with its qualifiers.
    public var type: TypeEncoding
    /// The number after the type of the argument. Nil if the string contains no number there.
    public var offset: Offset?

    /// Creates an argument from its type and offset.
    public init(type: TypeEncoding, offset: Offset?) {
      self.type = type
      self.offset = offset
    }
  }

  /// A number in the type of a method or block, with the digits of the parsed string: `16`, `-8` or `08`.
  ///
  /// In old GNU runtimes, a `+` as in `+8` marks an argument that is passed in a register.
  public struct Offset: Hashable, Sendable {
    private let text: String

    init(text: String) { self.text = text }

    /// Creates a number in decimal notation, such as `16`.
    public init(_ value: Int) { text = String(value) }

    /// The value of the number. Nil if the number does not fit into an `Int`.
    public var value: Int? { Int(text) }
    /// Whether the offset begins with `+`, by which old GNU compilers mark an argument in a register.
    public var isInRegister: Bool { text.utf8.first == UInt8(ascii: "+") }
  }
}

/// The meaning of the arguments.
extension MethodType {
  /// Whether this is the type of a block, which means that the first argument is a block.
  public var isBlock: Bool {
    if case .block? = arguments.first?.type { true } else { false }
  }

  /// Whether this is the type of a method, which means that the arguments begin with `self` and a selector.
  ///
  /// If false, this is the type of a block, or the string lacks the hidden arguments.
  public var isMethod: Bool {
    guard arguments.count >= 2, arguments[1].type == .scalar(.selector) else { return false }
    switch arguments[0].type {
    case .object, .scalar(.classObject): return true
    default: return false
    }
  }

  /// The arguments without the hidden arguments, such as `self` and the selector of a method.
  public var explicitArguments: ArraySlice<Argument> { arguments.dropFirst(isBlock ? 1 : isMethod ? 2 : 0) }

  /// Returns whether the frame size and all offsets match the sizes of the arguments.
  ///
  /// - Parameter target: the target whose sizes are used.
  /// - Returns: whether all numbers are present and match. Nil if the size of an argument is unknown.
  public func hasComputedOffsets(for target: TargetABI = .lp64) -> Bool? {
    let computed = MethodType(result: result, arguments: arguments.map(\.type), target: target)
    guard computed.frameSize != nil else { return nil }
    return computed == self
  }
}

extension MethodType.Offset: CustomStringConvertible {
  /// The number as text, with the same sign and digits as in the parsed string.
  public var description: String { text }
}

extension MethodType: CustomStringConvertible {
  /// The encoding string, such as `v24@0:8@16`.
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
