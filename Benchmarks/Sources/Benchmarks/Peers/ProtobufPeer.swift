import Foundation
import SwiftProtobuf

extension Contender {
  /// swift-protobuf with a workload's message.
  static func protobuf<Value: Message & Equatable>(
    _ message: Lazily<Value>, objectCount: Int, remark: String = ""
  )
    -> [Contender]
  {
    codable(
      Name.protobuf, message, objectCount, remark, encode: { try $0.serializedData() },
      decode: { try Value(serializedBytes: $0) })
  }
}
