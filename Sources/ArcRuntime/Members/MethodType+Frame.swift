extension MethodType {
  /// Creates the type of a method or block with the offsets that clang computes for a target.
  ///
  ///     let receiver = TypeEncoding.object(className: nil, protocols: [])
  ///     let method = MethodType(result: .scalar(.void), arguments: [receiver, .scalar(.selector)])
  ///     method.description   // v16@0:8
  ///
  /// If the size of an argument is unknown, the frame size and the offsets of later arguments are omitted.
  ///
  /// - Parameters:
  ///   - result: the type of the result.
  ///   - arguments: the types of all arguments, including hidden arguments.
  ///   - target: the target whose sizes are used.
  public init(result: TypeEncoding, arguments: [TypeEncoding], target: TargetABI = .lp64) {
    var end: UInt64? = 0
    var argumentsWithOffsets: [Argument] = []
    for type in arguments {
      argumentsWithOffsets.append(
        Argument(type: type, offset: end.flatMap(Int.init(exactly:)).map(Offset.init)))
      end = end.flatMap { end in type.argumentLayout(for: target).flatMap { end.plus($0.size) } }
    }
    self.init(
      result: result, frameSize: end.flatMap(Int.init(exactly:)).map(Offset.init),
      arguments: argumentsWithOffsets)
  }

  /// Creates the type of a method from its declared types. Adds the hidden arguments `self` and selector.
  public static func method(
    returning result: TypeEncoding, _ arguments: [TypeEncoding] = [], target: TargetABI = .lp64
  ) -> MethodType {
    let hidden: [TypeEncoding] = [.object(className: nil, protocols: []), .scalar(.selector)]
    return MethodType(result: result, arguments: hidden + arguments, target: target)
  }

  /// Creates the type of a block from its declared types. Adds the hidden argument: the block itself.
  public static func block(
    returning result: TypeEncoding, _ arguments: [TypeEncoding] = [], target: TargetABI = .lp64
  ) -> MethodType {
    MethodType(result: result, arguments: [.block(signature: nil)] + arguments, target: target)
  }
}

extension TypeEncoding {
  /// Returns the layout with which clang computes the offsets of arguments: an integer has at least the size
  /// of `int`, an array is a pointer, and arguments are not aligned. Nil if the layout is unknown.
  func argumentLayout(for target: TargetABI) -> TypeLayout? {
    switch self {
    case .array: TypeEncoding.pointer(to: .uncoded).layout(for: target)
    case .qualified(let qualifier, let type) where qualifier != .atomic && qualifier != .complex:
      type.argumentLayout(for: target)
    case .scalar(let scalar) where scalar.isInteger:
      scalar.layout(for: target).map { layout in
        TypeLayout(size: max(layout.size, 4), alignment: layout.alignment, isExact: layout.isExact)
      }
    default: layout(for: target)
    }
  }
}
