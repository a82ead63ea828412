import Foundation

extension Contender {
  /// `NSKeyedArchiver` with a workload's `NSCoding` classes.
  static func keyedArchiver<Root: NSObject & NSCoding>(
    _ root: Lazily<Root>, objectCount: Int, remark: String = "", digest: @escaping (Root) -> UInt64
  ) -> [Contender] {
    let name = "NSKeyedArchiver"
    let input = { try Array(encode(root.value())) }
    return [
      Contender(name: name, role: .peer, operation: .archive, objectCount: objectCount, remark: remark) { _ in
        let root = try root.value()
        return Call(bytesAreResult: true) {
          try encode(root)
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
          try decode(Root.self, data)
        } byteCount: { _ in
          bytes.count
        } check: {
          guard try digest($0) == digest(root.value()) else {
            throw WrongResult(description: "\(name) read another graph than it wrote")
          }
        }
      },
    ]
  }

  private static func encode<Root: NSObject & NSCoding>(_ root: Root) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
  }

  private static func decode<Root: NSObject & NSCoding>(_ type: Root.Type, _ data: Data) throws -> Root {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    guard let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? Root else {
      throw WrongResult(description: "NSKeyedUnarchiver read no \(type)")
    }
    return root
  }
}
