/// The type of a method or block as the Objective-C runtime keeps it: `v24@0:8@16`.
///
/// The description is the string itself: what ``init(parsing:)`` accepts prints back byte for byte. The
/// numbers are what clang counts, not offsets in a stack frame: the first is the size of all arguments, each
/// other the sum of the sizes before it.
///
///     let type = try MethodType(parsing: #"v24@0:8@"NSString"16"#)
///     type.result                            // v
///     type.frameSize?.value                  // 24
///     type.explicitArguments.map(\.type)     // [@"NSString"]
public struct MethodType: Hashable, Sendable {
  /// The type of the result, with its qualifiers.
  public var result: TypeEncoding
  /// The number after the result: the size of all arguments.
  public var frameSize: Offset?
  /// All arguments, the hidden ones too: self and the selector of a method, the block of a block.
  public var arguments: [Argument]

  /// Makes a type of its parts.
  public init(result: TypeEncoding, frameSize: Offset?, arguments: [Argument]) {
    self.result = result
    self.frameSize = frameSize
    self.arguments = arguments
  }

  /// An argument and its offset.
  public struct Argument: Hashable, Sendable {
    /// The type, with its qualifiers.
    public var type: TypeEncoding
    /// The number after the type, `nil` where there is none.
    public var offset: Offset?

    /// Makes an argument.
    public init(type: TypeEncoding, offset: Offset?) {
      self.type = type
      self.offset = offset
    }
  }

  /// A number of a method's type, as it is written: `16`, `-8`, `+8` for one in a register (GNU), `08`.
  public struct Offset: Hashable, Sendable {
    private let text: String

    init(text: String) { self.text = text }

    /// Makes the usual spelling of a number.
    public init(_ value: Int) { text = String(value) }

    /// The number, `nil` where it does not fit.
    public var value: Int? { Int(text) }
    /// Whether the argument comes in a register: it has a `+` before its number, historic.
    public var isInRegister: Bool { text.utf8.first == UInt8(ascii: "+") }
  }
}

/// What the parts mean.
extension MethodType {
  /// Whether it is the signature of a block, whose first argument is the block itself.
  public var isBlock: Bool {
    if case .block? = arguments.first?.type { true } else { false }
  }

  /// Whether it is the type of a method, whose first arguments are self and the selector.
  public var isMethod: Bool {
    guard arguments.count >= 2, arguments[1].type == .scalar(.selector) else { return false }
    switch arguments[0].type {
    case .object, .scalar(.classObject): return true
    default: return false
    }
  }

  /// The arguments that the declaration has: all but self and the selector, or the block itself.
  public var explicitArguments: ArraySlice<Argument> { arguments.dropFirst(isBlock ? 1 : isMethod ? 2 : 0) }

  /// Whether all offsets are there and agree with the sizes of the arguments on the target; `nil` where a
  /// size is not known.
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
  /// The string.
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
