extension MethodType {
  /// Parses the type of a method or block.
  ///
  ///     let type = try MethodType(parsing: "v16@0:8")
  ///
  /// If an argument has no code, clang writes two numbers without a separator: `v36@0:816i32` has `:` at 8, a
  /// vector at 16 and an `i` at 32. The parser separates the numbers if the sizes of the arguments are known.
  ///
  /// - Parameter text: the text.
  /// - Complexity: O(*n*) in the length of the text.
  /// - Throws: ``TypeEncodingError`` with the position and the reason if the text is not the type of a method
  ///   or block.
  public init(parsing text: String) throws(TypeEncodingError) {
    var parser = TypeEncodingParser(text)
    self = try parser.tryingNameRules { parser throws(TypeEncodingError) in
      try parser.methodType()
    }
    separateNumbers()
  }
}

extension TypeEncodingParser {
  fileprivate mutating func methodType() throws(TypeEncodingError) -> MethodType {
    let result = try type()
    let frameSize = try offset()
    guard index > 0 else {
      throw failure(.unknownTypeCode, at: 0, expected: "the type of the result, or a frame size")
    }
    var arguments: [MethodType.Argument] = []
    arguments.reserveCapacity(4)
    while !isAtEnd {
      let start = index
      let type = try type()
      let offset = try offset()
      guard index > start else {
        throw failure(.unknownTypeCode, at: start, expected: "the type of an argument")
      }
      arguments.append(.init(type: type, offset: offset))
    }
    return MethodType(result: result, frameSize: frameSize, arguments: arguments)
  }

  private mutating func offset() throws(TypeEncodingError) -> MethodType.Offset? {
    let start = index
    if next == UInt8(ascii: "+") { index += 1 }
    if next == UInt8(ascii: "-") { index += 1 }
    let digits = index
    while let byte = next, Self.isDigit(byte) { index += 1 }
    guard index > digits else {
      // A `+` may also begin a type that is passed in a register.
      guard digits == start || bytes[digits - 1] == UInt8(ascii: "+") else {
        throw failure(.missingNumber, at: index, expected: "a number after the sign")
      }
      index = start
      return nil
    }
    return .init(text: string(start..<index))
  }
}

extension MethodType {
  /// Separates numbers that consist of the offsets of several arguments, and adds the arguments without a
  /// code. In the encoding, such an argument is only an offset, directly after the offset of the previous
  /// argument.
  ///
  /// The digits can be separated, because each offset is the sum of the offset and the size of the previous
  /// argument.
  fileprivate mutating func separateNumbers() {
    guard let target = guessedTarget else { return }
    var separated: [Argument] = []
    separated.reserveCapacity(arguments.count)
    /// The offset of the next argument. Nil if it is unknown.
    var end: UInt64? = 0
    for argument in arguments {
      guard let offset = argument.offset, let start = end, offset.description != String(start),
        let (own, others) = Self.split(offset.description, at: start, argument.type, target)
      else {
        separated.append(argument)
        let start = argument.offset?.value.flatMap(UInt64.init(exactly:))
        end = start.flatMap { start in Self.end(of: argument.type, at: start, target) }
        continue
      }
      separated.append(Argument(type: argument.type, offset: Offset(text: own)))
      separated += others.map { Argument(type: .uncoded, offset: Offset(text: $0)) }
      end = nil
    }
    arguments = separated
  }

  private static func end(of type: TypeEncoding, at start: UInt64, _ target: TargetABI) -> UInt64? {
    type.argumentLayout(for: target).flatMap { $0.isExact ? start.plus($0.size) : nil }
  }

  /// Splits the digits after a type code. Returns the offset of the argument with this code, and the offsets
  /// of the following arguments, which have no code. Nil if the digits cannot be split into ascending
  /// offsets.
  private static func split(
    _ digits: String, at start: UInt64, _ type: TypeEncoding, _ target: TargetABI
  ) -> (own: String, others: [String])? {
    guard let end = end(of: type, at: start, target) else { return nil }
    let (own, first) = (String(start), String(end))
    var rest = Array(digits.utf8)[...]
    guard rest.starts(with: own.utf8), rest.dropFirst(own.utf8.count).starts(with: first.utf8) else {
      return nil
    }
    rest = rest.dropFirst(own.utf8.count + first.utf8.count)
    var others = [first]
    var previous = end
    while !rest.isEmpty {
      guard let next = number(above: previous, startingIn: rest) else { return nil }
      let text = String(next)
      others.append(text)
      rest = rest.dropFirst(text.utf8.count)
      previous = next
    }
    return (own, others)
  }

  /// Returns the number in the shortest prefix of `digits` whose number is greater than `previous`. Nil if no
  /// prefix has such a number.
  ///
  /// The digit after the prefix must not be 0, because the next number cannot begin with 0.
  private static func number(above previous: UInt64, startingIn digits: ArraySlice<UInt8>) -> UInt64? {
    guard digits.first != UInt8(ascii: "0") else { return nil }
    var value: UInt64 = 0
    for index in digits.indices {
      guard let next = value.times(10)?.plus(UInt64(digits[index] &- UInt8(ascii: "0"))) else { return nil }
      value = next
      let following = index + 1 < digits.endIndex ? digits[index + 1] : nil
      if value > previous, following != UInt8(ascii: "0") { return value }
    }
    return nil
  }

  /// The target for which the encoding was probably written. The first argument is a pointer at offset 0, so
  /// the offset of the second argument is the pointer size of the target. Nil if no target has this pointer
  /// size.
  private var guessedTarget: TargetABI? {
    guard arguments.count >= 2 || arguments.first?.offset?.description.first == "0" else { return nil }
    let digits =
      arguments.count > 1 && arguments[0].offset?.description == "0"
      ? arguments[1].offset?.description : arguments.first?.offset.map { String($0.description.dropFirst()) }
    switch digits?.first {
    case "8": return .appleX86_64
    case "4": return .appleI386
    default: return nil
    }
  }
}
