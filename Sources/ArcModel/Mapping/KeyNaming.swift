/// How the names of members are made of the keys of properties.
public struct KeyNaming: Sendable {
  let name: @Sendable (_ key: String) -> String

  /// As the property is declared, or its `@Key` says.
  public static let asDeclared = KeyNaming.custom { $0 }
  /// `createdAt` is `created_at`, and `imageURL` is `image_url`.
  public static let snakeCase = KeyNaming.custom { words($0).map { $0.lowercased() }.joined(separator: "_") }
  /// `createdAt` is `created-at`.
  public static let kebabCase = KeyNaming.custom { words($0).map { $0.lowercased() }.joined(separator: "-") }
  /// `createdAt` is `CREATED_AT`.
  public static let upperSnakeCase = KeyNaming.custom {
    words($0).map { $0.uppercased() }.joined(separator: "_")
  }
  /// `createdAt` is `CreatedAt`.
  public static let pascalCase = KeyNaming.custom { $0.prefix(1).uppercased() + $0.dropFirst() }

  /// As a function of one's own makes it.
  ///
  /// - Parameter name: makes the name of a member of the key of a property; called once for each.
  /// - Returns: the naming.
  public static func custom(_ name: @escaping @Sendable (_ key: String) -> String) -> KeyNaming {
    KeyNaming(name: name)
  }

  /// The words of a key: each begins with a capital letter, or with the last one of several before a small
  /// letter.
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
