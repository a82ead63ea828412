/// A strategy that converts the keys of properties to the names of JSON members.
///
///     let reader = ModelReader(naming: .snakeCase)   // createdAt is read from created_at
public struct KeyNaming: Sendable {
  let name: @Sendable (_ key: String) -> String
  /// The predefined strategy. Nil for a function of the program, because functions cannot be compared.
  let predefined: Predefined?

  /// The predefined strategies.
  enum Predefined: Hashable {
    case asDeclared, snakeCase, kebabCase, upperSnakeCase, pascalCase
  }

  private init(
    _ predefined: Predefined? = nil, name: @escaping @Sendable (_ key: String) -> String
  ) {
    self.name = name
    self.predefined = predefined
  }

  /// The strategy that uses each key unchanged as the member name.
  ///
  /// The key of a property is its name, or the key that `@Key` declares.
  public static let asDeclared = KeyNaming(.asDeclared) { $0 }
  /// The strategy that converts `createdAt` to `created_at`, and `imageURL` to `image_url`.
  public static let snakeCase = KeyNaming(.snakeCase) {
    words($0).map { $0.lowercased() }.joined(separator: "_")
  }
  /// The strategy that converts `createdAt` to `created-at`.
  public static let kebabCase = KeyNaming(.kebabCase) {
    words($0).map { $0.lowercased() }.joined(separator: "-")
  }
  /// The strategy that converts `createdAt` to `CREATED_AT`.
  public static let upperSnakeCase = KeyNaming(.upperSnakeCase) {
    words($0).map { $0.uppercased() }.joined(separator: "_")
  }
  /// The strategy that converts `createdAt` to `CreatedAt`.
  public static let pascalCase = KeyNaming(.pascalCase) { $0.prefix(1).uppercased() + $0.dropFirst() }

  /// Returns a strategy that converts each key with a function.
  ///
  ///     let naming = KeyNaming.custom { "x-" + $0 }
  ///
  /// - Parameter name: converts the key of a property to the name of a member. Called once per key.
  /// - Returns: the strategy.
  public static func custom(_ name: @escaping @Sendable (_ key: String) -> String) -> KeyNaming {
    KeyNaming(name: name)
  }

  /// Splits a key into words. A word begins at an uppercase letter. In a run of uppercase letters, only the
  /// last letter begins a word, if a lowercase letter follows it.
  private static func words(_ key: String) -> [String] {
    var words: [String] = []
    let characters = Array(key)
    for (index, character) in characters.enumerated() {
      let isCapital = character.isUppercase
      let endsCapitals =
        index > 0 && characters[index - 1].isUppercase && index + 1 < characters.count
        && characters[index + 1].isLowercase
      if words.isEmpty
        || isCapital && index > 0 && (!characters[index - 1].isUppercase || endsCapitals)
          && characters[index - 1] != "_"
      {
        words.append("")
      }
      words[words.count - 1].append(character)
    }
    return words
  }
}
