extension TypeEncoding {
  /// Returns whether two types are equal, including the names of members, classes and protocols.
  public static func == (a: TypeEncoding, b: TypeEncoding) -> Bool { a.isEquivalent(to: b, ignoring: []) }

  /// The differences between two encodings that a comparison ignores.
  public struct Leniency: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set of differences from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ignores the names of members: `{P="x"d}` is equivalent to `{P=d}` and to `{P="y"d}`.
    public static let memberNames = Leniency(rawValue: 1 << 0)
    /// Ignores all members if one of the encodings has none: `{P}` and `{P=}` are equivalent to `{P=d}`.
    public static let hiddenMembers = Leniency(rawValue: 1 << 1)
    /// Ignores a class that only one of the encodings contains, and all protocols: `@` is equivalent to
    /// `@"NSString"`. Two different classes are not equivalent.
    public static let classNames = Leniency(rawValue: 1 << 2)
    /// Ignores a block signature that only one of the encodings contains: `@?` is equivalent to `@?<v@?>`.
    public static let blockSignatures = Leniency(rawValue: 1 << 3)
    /// Ignores the qualifiers `r n N o O R V + |`, but not `A` and `j`, which change the type.
    public static let qualifiers = Leniency(rawValue: 1 << 4)
    /// Ignores the offset and type in GNU's encoding of a bit-field: `b0i3` is equivalent to `b3`.
    public static let bitFieldForms = Leniency(rawValue: 1 << 5)

    /// Ignores the differences that encodings of one declaration can have.
    ///
    /// These differences are the names of members, of classes and of protocols, whether the encoding contains
    /// the members of a structure, and whether it contains the signature of a block.
    public static let standard: Leniency = [.memberNames, .hiddenMembers, .classNames, .blockSignatures]
    /// Ignores all differences for which ``TypeEncoding/Leniency`` has an option.
    public static let all: Leniency = [.standard, .qualifiers, .bitFieldForms]
  }

  /// Returns whether both encodings can represent the same type.
  ///
  ///     let named = try TypeEncoding(parsing: #"{P="o"@"NSObject"}"#)
  ///     try named.isEquivalent(to: TypeEncoding(parsing: "{P=@}"))   // true
  ///
  /// In contrast, `==` ignores no differences. With the option `classNames` or `hiddenMembers`, the relation
  /// is not transitive: `@` is equivalent to every class, but two different classes are not equivalent.
  ///
  /// - Parameters:
  ///   - other: the other encoding.
  ///   - leniency: the differences to ignore.
  /// - Returns: whether the encodings are equivalent.
  public func isEquivalent(to other: TypeEncoding, ignoring leniency: Leniency = .standard) -> Bool {
    let (first, second) = (stripped(leniency), other.stripped(leniency))
    return first.isEquivalentPart(to: second, leniency) ?? first.isEquivalentForm(to: second, leniency)
  }

  /// If two types have the same form, and each contains a single type, such as two pointers or two optionals,
  /// returns whether they are equivalent. Returns nil for all other pairs of types.
  ///
  /// There are several functions because a function of a debug build reserves stack for all of its branches,
  /// at each level of a nested type.
  private func isEquivalentPart(to other: TypeEncoding, _ leniency: Leniency) -> Bool? {
    switch (self, other) {
    case (.pointer(let a), .pointer(let b)), (.optional(let a), .optional(let b)),
      (.list(let a), .list(let b)),
      (.set(let a), .set(let b)), (.weak(let a), .weak(let b)):
      a.isEquivalent(to: b, ignoring: leniency)
    case (.array(let aCount, let a), .array(let bCount, let b)):
      aCount == bCount && a.isEquivalent(to: b, ignoring: leniency)
    case (.qualified(let aQualifier, let a), .qualified(let bQualifier, let b)):
      aQualifier == bQualifier && a.isEquivalent(to: b, ignoring: leniency)
    default: nil
    }
  }

  private func isEquivalentForm(to other: TypeEncoding, _ leniency: Leniency) -> Bool {
    switch (self, other) {
    case (.structure(let aName, let a), .structure(let bName, let b)),
      (.union(let aName, let a), .union(let bName, let b)):
      aName == bName && Self.areEquivalent(a, b, ignoring: leniency)
    case (.enumeration(let aName, let a), .enumeration(let bName, let b)):
      // Enumerations with different case names are different types.
      aName == bName && Self.areEquivalent(a, b, ignoring: leniency.subtracting(.memberNames))
    case (.block(let a), .block(let b)): Self.areEquivalent(signatures: a, b, ignoring: leniency)
    case (.dictionary(let aKey, let a), .dictionary(let bKey, let b)):
      aKey.isEquivalent(to: bKey, ignoring: leniency) && a.isEquivalent(to: b, ignoring: leniency)
    case (.vector(let aSize, let aAlignment, let a), .vector(let bSize, let bAlignment, let b)):
      aSize == bSize && aAlignment == bAlignment && a.isEquivalent(to: b, ignoring: leniency)
    default: isEquivalentLeaf(to: other, leniency)
    }
  }

  private func isEquivalentLeaf(to other: TypeEncoding, _ leniency: Leniency) -> Bool {
    switch (self, other) {
    case (.object(let aName, let aProtocols), .object(let bName, let bProtocols)):
      leniency.contains(.classNames)
        ? aName == bName || aName == nil || bName == nil : aName == bName && aProtocols == bProtocols
    case (.bitField(let aWidth, let a), .bitField(let bWidth, let b)):
      aWidth == bWidth && (a == b || (leniency.contains(.bitFieldForms) && (a == nil || b == nil)))
    case (.scalar(let a), .scalar(let b)): a == b
    case (.uncoded, .uncoded): true
    default: false
    }
  }

  private static func areEquivalent(
    signatures a: [TypeEncoding]?, _ b: [TypeEncoding]?, ignoring leniency: Leniency
  ) -> Bool {
    guard let a, let b else { return leniency.contains(.blockSignatures) || (a == nil && b == nil) }
    return a.count == b.count && zip(a, b).allSatisfy { $0.isEquivalent(to: $1, ignoring: leniency) }
  }

  private func stripped(_ leniency: Leniency) -> TypeEncoding {
    guard leniency.contains(.qualifiers) else { return self }
    var rest = self
    while case .qualified(let qualifier, let inner) = rest, qualifier != .atomic, qualifier != .complex {
      rest = inner
    }
    return rest
  }

  private static func areEquivalent(_ a: [Field]?, _ b: [Field]?, ignoring leniency: Leniency) -> Bool {
    let isHidden = { (fields: [Field]?) in fields?.isEmpty ?? true }
    if leniency.contains(.hiddenMembers), isHidden(a) || isHidden(b) { return true }
    guard let a, let b else { return a == nil && b == nil }
    return a.count == b.count
      && zip(a, b).allSatisfy { a, b in
        (leniency.contains(.memberNames) || a.name == b.name)
          && a.type.isEquivalent(to: b.type, ignoring: leniency)
      }
  }
}
