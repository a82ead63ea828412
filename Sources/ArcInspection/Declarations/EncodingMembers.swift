import ArcRuntime

/// The meaning of an encoding as members of a report, for `arcdump encoding --json`.
struct EncodingMembers {
  let target: TargetABI

  /// Adds the meaning of an encoding.
  func add(_ text: ObjectiveCEncoding, to report: inout Report) {
    report.members(["kind": text.kind.rawValue, "normalized": text.description])
    switch text {
    case .type(let type):
      addLayout(of: type, to: &report)
      if let members = type.memberLayouts(for: target) {
        report.members(["members": ReportValue.records(members, description)])
      }
    case .method(let method):
      report.members([
        "size": method.frameSize?.value, "alignment": ReportValue.null, "result": method.result.description,
        "arguments": ReportValue.records(method.arguments) {
          ["type": $0.type.description, "offset": $0.offset?.value]
        },
      ])
    case .property(let attributes): add(attributes, to: &report)
    }
    report.members(["explanation": text.explanation, "flags": text.flags.rawValue])
  }

  /// Adds the error in a malformed encoding.
  func add(_ failure: EncodingFailure, to report: inout Report) {
    report.members(["error": failure.message, "code": failure.code, "byteOffset": failure.byteOffset])
  }

  private func addLayout(of type: TypeEncoding, to report: inout Report) {
    let layout = type.layout(for: target)
    report.members([
      "size": layout?.size, "alignment": layout?.alignment, "stride": layout?.stride,
      "exact": layout?.isExact ?? false,
    ])
  }

  private func description(of member: MemberLayout) -> KeyValuePairs<String, any Reportable> {
    [
      "name": member.field.name, "type": member.field.type.description, "offset": member.byteOffset,
      "bitOffset": member.bitOffset, "bits": member.bitCount,
    ]
  }

  private func add(_ attributes: PropertyAttributes, to report: inout Report) {
    addLayout(of: attributes.type ?? .uncoded, to: &report)
    report.members([
      "type": attributes.type?.description, "readonly": attributes.isReadOnly, "copy": attributes.isCopied,
      "retain": attributes.isRetained, "nonatomic": attributes.isNonatomic, "weak": attributes.isWeak,
      "dynamic": attributes.isDynamic, "optional": attributes.isOptional, "getter": attributes.getter,
      "setter": attributes.setter, "ivar": attributes.ivar,
      "unknown": attributes.unknownAttributes.map(\.description),
    ])
  }
}
