/// Says where in JSON the value of a property is.
///
///     @Key("id", json: "user.id", or: "uid", "userId") var id = 0
///
/// - Parameters:
///   - key: the key in archives; older ones can follow.
///   - json: the way to the value from the object, as `user.ids[0]`; the value is written there.
///   - others: ways that are tried after it, where there is nothing, or null.
@attached(peer)
public macro Key(_ key: String, _ olderKeys: String..., json: String, or others: String...) =
  #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Says where in JSON the value of a property is, whose key in archives is its name.
///
///     @Key(json: "created_at") var created: Date?
@attached(peer)
public macro Key(json: String, or others: String...) =
  #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Says whether a property is read from JSON and written to it. Archives have it in any case.
///
///     @JSON(.required) var name = ""
///     @JSON(.omitted) var token = ""
@attached(peer)
public macro JSON(_ rules: JSONRules...) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Says how the dates in a property are written in JSON, or its whole value.
///
///     @Format(.millisecondsSince1970) var joined: Date?
@attached(peer)
public macro Format(_ format: ValueFormat) = #externalMacro(module: "ArcMacros", type: "MarkMacro")
