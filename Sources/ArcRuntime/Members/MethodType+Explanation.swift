extension MethodType {
  /// The type in words, such as "method taking reference to Person at 16 and returning void; frame of 24
  /// bytes".
  ///
  /// The words contain names from the encoding without change. Before you print the words to a terminal,
  /// escape control characters.
  public var explanation: String {
    let kind = isBlock ? "block" : isMethod ? "method" : "function"
    let argumentWords = explicitArguments.map { argument in
      argument.type.explanation
        + (argument.offset.map { $0.isInRegister ? " in register" : " at \($0)" } ?? "")
    }
    let taking = argumentWords.isEmpty ? "" : "taking " + TypeEncoding.enumerated(argumentWords) + " and "
    return "\(kind) \(taking)returning \(result.explanation)"
      + (frameSize.map { "; frame of \($0) bytes" } ?? "")
  }
}
