import Foundation

extension Contender {
  /// `JSONEncoder` and `PropertyListEncoder` with a workload's records. Both decode what they encoded.
  static func codable<Value: Codable & Equatable>(
    _ value: Lazily<Value>, objectCount: Int, remark: String = ""
  )
    -> [Contender]
  {
    codable(
      Name.json, value, objectCount, remark, encode: { try JSONEncoder().encode($0) },
      decode: { try JSONDecoder().decode(Value.self, from: $0) })
      + codable(
        Name.propertyList, value, objectCount, remark,
        encode: {
          let encoder = PropertyListEncoder()
          encoder.outputFormat = .binary
          return try encoder.encode($0)
        },
        decode: { try PropertyListDecoder().decode(Value.self, from: $0) })
  }

  /// A peer that converts a value to `Data` and back.
  static func codable<Value: Equatable>(
    _ name: String, _ value: Lazily<Value>, _ objectCount: Int, _ remark: String,
    encode: @escaping (Value) throws -> Data, decode: @escaping (Data) throws -> Value
  ) -> [Contender] {
    let input = { try Array(encode(value.value())) }
    return [
      Contender(name: name, role: .peer, operation: .archive, objectCount: objectCount, remark: remark) { _ in
        let value = try value.value()
        return Call(bytesAreResult: true) {
          try encode(value)
        } byteCount: {
          $0.count
        }
      },
      Contender(
        name: name, role: .peer, operation: .unarchive, objectCount: objectCount, remark: remark,
        makeInput: input
      ) { bytes in
        let data = Data(bytes)
        return Call(bytesAreResult: false) {
          try decode(data)
        } byteCount: { _ in
          bytes.count
        } check: {
          guard try $0 == value.value() else {
            throw WrongResult(description: "\(name) read another value than it wrote")
          }
        }
      },
    ]
  }
}
