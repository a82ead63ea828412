import ArcArchive
import ArcFormat
import ArcJSON

/// Writes the values of an archive as JSON. A value without a form in JSON is an object with a key that
/// begins with `$`:
///
/// | value | JSON |
/// |---|---|
/// | nil, Boolean, string | `null`, `true`, `"text"` |
/// | integer of magnitude below 2^53 | `42` |
/// | any other integer | `{"$integer":"18446744073709551615"}`, which no reader rounds |
/// | floating-point number | `0.5`, `-0.0`; `{"$float":"inf"}`, `"-inf"`, `"nan"` |
/// | NaN with a payload or sign | `{"$float":"nan","bits":"7ff8000000000001"}`, the number's own bits |
/// | data | `{"$data":"aGVsbG8="}`, base64 |
/// | date | `{"$date":"2001-01-01T00:00:00Z","seconds":0.0}`, exact seconds since 2001; `$date` can be null |
/// | UUID, decimal | `{"$uuid":"…"}`, `{"$decimal":"1.50"}` |
/// | URL | `{"$url":"a/b","base":"https://…"}`, `base` if there is one |
/// | reference, weak or not | `{"$ref":3}`: the object with that `id` |
/// | array | `[…]` |
/// | set | `{"$set":[…]}` |
/// | dictionary | `{"$dictionary":[[key,value],…]}` |
/// | structure | `{"$struct":"Point","fields":{"x":1.0}}`; a field without a name has its position |
/// | enumeration | `{"$enum":"Shape","case":"circle","payload":…}`, `payload` if the case has one |
///
/// Values are nested at most `ArchiveLimits.nesting` levels. An object is always written as `$ref` instead of
/// being nested, so an object with several references is not written repeatedly.
extension JSONOutput {
  /// Writes a value that was read into memory.
  func value(_ value: ArchiveValue) throws { try self.value(TypedValue(value)) }

  /// Writes a value whose token was not read yet. A token contains the kind and the size of a value, without
  /// its nested values.
  func value<Value: ReadableValue>(_ value: Value) throws {
    try checkLimit()
    var value = value
    switch try value.next() {
    case .plainText(let bytes): try string(plain: bytes)
    case .scalar(let scalar): try self.scalar(scalar)
    case .reference(nil, _): try null()
    case .reference(let id?, _): try object { try member("$ref", Int(id.rawValue)) }
    case .elements(let count, isOrdered: true): try elements(count, of: value)
    case .elements(let count, isOrdered: false):
      try object { try member("$set") { try elements(count, of: value) } }
    case .entries(let count): try entries(count, of: value)
    case .fields(let names): try fields(names, of: value)
    case .enumerationCase(let names, let index, let payload):
      try object {
        try member("$enum", names.type)
        try member("case", names.labels[index])
        if let payload { try member("payload") { try self.value(value.inside(payload, at: 0)) } }
      }
    }
  }

  // MARK: Values without others inside

  private func scalar(_ scalar: ValueScalar) throws {
    switch scalar {
    case .null: try null()
    case .bool(let flag): try bool(flag)
    case .integer(let number):
      if let number = number.exactInJSON { return try self.number(number) }
      try object { try member("$integer", number.description) }
    case .real(let number): try real(number)
    case .string(let text): try string(text)
    case .data(let bytes): try object { try member("$data", base64(bytes)) }
    case .date(let seconds): try date(seconds)
    case .uuid(let bytes): try object { try member("$uuid", UUIDNotation.text(bytes)) }
    case .decimal(let text): try object { try member("$decimal", text) }
    case .url(let text, let base):
      try object {
        try member("$url", text)
        if let base { try member("base", base) }
      }
    }
  }

  private func real(_ number: RealNumber) throws {
    if let number = JSONNumber(number.description) { return try self.number(number) }
    try object {
      try member("$float", number.isNaN ? "nan" : number.description)
      if let bits = number.bitsOfUnusualNaN { try member("bits", bits) }
    }
  }

  private func date(_ seconds: Double) throws {
    try object {
      try member("$date") {
        guard let text = calendarText(secondsSince2001: seconds) else { return try null() }
        try string(text)
      }
      try member("seconds") { try real(.double(seconds)) }
    }
  }

  // MARK: Values with others inside

  private func elements<Value: ReadableValue>(_ count: Int, of collection: Value) throws {
    try array { for index in 0..<count { try value(collection.inside(0, at: index)) } }
  }

  private func entries<Value: ReadableValue>(_ count: Int, of dictionary: Value) throws {
    try object {
      try member("$dictionary") {
        try array {
          for index in 0..<count {
            try array {
              try value(dictionary.inside(0, at: index))
              try value(dictionary.inside(1, at: index))
            }
          }
        }
      }
    }
  }

  private func fields<Value: ReadableValue>(_ names: ValueNames, of structure: Value) throws {
    try object {
      try member("$struct", names.type)
      try member("fields") {
        try object {
          for (position, label) in names.labels.enumerated() {
            try member(label.isEmpty ? String(position) : label) {
              try value(structure.inside(position, at: 0))
            }
          }
        }
      }
    }
  }
}

/// Returns bytes in Base64 with padding (RFC 4648, section 4).
func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count / 3 + 1) * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for position in 0..<4 {
      text.append(position > group.count ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * position) & 63])
    }
  }
  return String(decoding: text, as: UTF8.self)
}

/// Returns two hexadecimal digits for each byte.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  var digits: [UInt8] = []
  digits.reserveCapacity(2 * bytes.count)
  for byte in bytes {
    digits.append(hexadecimalDigit(byte >> 4))
    digits.append(hexadecimalDigit(byte & 15))
  }
  return String(decoding: digits, as: UTF8.self)
}

/// Returns the hexadecimal digit of a number below 16, in ASCII.
func hexadecimalDigit(_ number: UInt8) -> UInt8 {
  number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
}
