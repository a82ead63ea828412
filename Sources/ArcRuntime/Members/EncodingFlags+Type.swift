extension EncodingFlags {
  /// Creates the flags that describe the kind and the qualifiers of a type.
  public init(describing type: TypeEncoding) {
    var flags: EncodingFlags = []
    var rest = type
    while case .qualified(let qualifier, let inner) = rest {
      flags.formUnion(Self(qualifier))
      rest = inner
    }
    self = flags.union(Self(kind: Kind(of: rest)))
  }

  private init(_ qualifier: TypeEncoding.Qualifier) {
    switch qualifier {
    case .const: self = .const
    case .in: self = .in
    case .inout: self = .inout
    case .out: self = .out
    case .byCopy: self = .byCopy
    case .byReference: self = .byReference
    case .oneWay: self = .oneWay
    case .atomic: self = .atomic
    case .complex: self = .complex
    case .register: self = .register
    case .invisibleToCollector: self = .invisibleToCollector
    }
  }
}

extension EncodingFlags.Kind {
  fileprivate init(of type: TypeEncoding) {
    switch type {
    case .uncoded: self = .none
    case .scalar(let scalar): self.init(scalar)
    case .object: self = .object
    case .block: self = .block
    case .pointer: self = .pointer
    case .array: self = .array
    case .structure: self = .structure
    case .union: self = .union
    case .bitField: self = .bitField
    case .vector: self = .vector
    case .qualified(_, let inner): self.init(of: inner)
    case .optional: self = .optional
    case .list: self = .list
    case .set: self = .set
    case .dictionary: self = .dictionary
    case .enumeration: self = .enumeration
    case .weak: self = .weak
    }
  }

  private init(_ scalar: TypeEncoding.Scalar) {
    switch scalar {
    case .character: self = .int8
    case .short: self = .int16
    case .int: self = .int32
    case .long: self = .long
    case .longLong: self = .int64
    case .int128: self = .int128
    case .unsignedCharacter: self = .uint8
    case .unsignedShort: self = .uint16
    case .unsignedInt: self = .uint32
    case .unsignedLong: self = .unsignedLong
    case .unsignedLongLong: self = .uint64
    case .unsignedInt128: self = .uint128
    case .float: self = .float
    case .double: self = .double
    case .longDouble: self = .longDouble
    case .bool: self = .bool
    case .void: self = .void
    case .cString, .atom: self = .cString
    case .classObject: self = .classObject
    case .selector: self = .selector
    case .unknown: self = .unknown
    case .half: self = .half
    }
  }
}
