/// States the JSON path of a property's value.
///
///     @Key("id", json: "user.id", or: "uid", "userId") var id = 0
///
/// - Parameters:
///   - key: the key in archives.
///   - olderKeys: the older keys in archives.
///   - json: the path from the object to the value, such as `user.ids[0]`. The value is written at this path.
///   - others: the paths that are tried next if the value is missing or `null`.
@attached(peer)
public macro Key(_ key: String, _ olderKeys: String..., json: String, or others: String...) =
  #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// States the JSON path of a property's value. The key in archives is the property's name.
///
///     @Key(json: "created_at") var created: Date?
///
/// - Parameters:
///   - json: the path from the object to the value. The value is written at this path.
///   - others: the paths that are tried next if the value is missing or `null`.
@attached(peer)
public macro Key(json: String, or others: String...) =
  #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// States whether a property is read from JSON and written to JSON. The property is archived in any case.
///
///     @JSONRule(.required) var name = ""
///     @JSONRule(.omitted) var token = ""
///
/// - Parameter rules: the rules.
@attached(peer)
public macro JSONRule(_ rules: JSONRules...) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// States the JSON format of a property's value, or of the dates in it.
///
///     @JSONFormat(.millisecondsSince1970) var joined: Date?
///
/// - Parameter format: the format.
@attached(peer)
public macro JSONFormat(_ format: ValueFormat) = #externalMacro(module: "ArcMacros", type: "MarkMacro")
