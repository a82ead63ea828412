import Foundation

extension TreeNode {
  /// Returns a copy of this subtree.
  func clone(_ clones: inout [ObjectIdentifier: TreeNode]) -> TreeNode {
    if let clone = clones[ObjectIdentifier(self)] { return clone }
    let clone = TreeNode(value: value)
    clones[ObjectIdentifier(self)] = clone
    clone.left = left?.clone(&clones)
    clone.right = right?.clone(&clones)
    return clone
  }
}

/// A tree for coders of values, with nested nodes.
final class TreeRecord: Codable, Equatable {
  let value: Int
  let left: TreeRecord?
  let right: TreeRecord?

  init(_ node: TreeNode) {
    value = node.value
    left = node.left.map(TreeRecord.init)
    right = node.right.map(TreeRecord.init)
  }

  static func == (first: TreeRecord, second: TreeRecord) -> Bool {
    first.value == second.value && first.left == second.left && first.right == second.right
  }
}

extension ProtoTreeNode {
  /// Creates a protobuf message from a tree.
  init(_ node: TreeNode) {
    self.init()
    value = Int64(node.value)
    if let left = node.left { self.left = ProtoTreeNode(left) }
    if let right = node.right { self.right = ProtoTreeNode(right) }
  }
}

/// A tree for `NSKeyedArchiver`.
final class KeyedTreeNode: NSObject, NSCoding {
  let value: Int
  let left: KeyedTreeNode?
  let right: KeyedTreeNode?

  init(_ node: TreeNode) {
    value = node.value
    left = node.left.map(KeyedTreeNode.init)
    right = node.right.map(KeyedTreeNode.init)
  }

  init?(coder: NSCoder) {
    value = coder.decodeInteger(forKey: "value")
    left = coder.decodeObject(forKey: "left") as? KeyedTreeNode
    right = coder.decodeObject(forKey: "right") as? KeyedTreeNode
  }

  func encode(with coder: NSCoder) {
    coder.encode(value, forKey: "value")
    coder.encode(left, forKey: "left")
    coder.encode(right, forKey: "right")
  }

  /// A checksum over the values and the shape.
  var sum: UInt64 {
    UInt64(truncatingIfNeeded: value) &+ 3 &* (left?.sum ?? 1) &+ 5 &* (right?.sum ?? 2)
  }
}
