/// Declares the key of a property in archives, and its path in JSON.
///
///     @Key("id", json: "user.id", or: "uid", "userId") var id = 0
///
/// - Parameters:
///   - key: the key in archives.
///   - olderKeys: the keys of the property in older archives.
///   - json: the path from the object to the value, such as `user.ids[0]`. A writer writes the value at this
///     path.
///   - others: the paths that a reader tries next if the value is missing or `null`.
@attached(peer)
public macro Key(_ key: String, _ olderKeys: String..., json: String, or others: String...) =
  #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Declares the JSON path of a property. The key in archives is the property's name.
///
///     @Key(json: "created_at") var created: Date?
///
/// A property that is declared `private` or `fileprivate` is a member of the JSON only if it has this
/// attribute, `@JSONRule` or `@JSONFormat`, or if a ``JSONMapping`` names it.
///
/// - Parameters:
///   - json: the path from the object to the value. A writer writes the value at this path.
///   - others: the paths that a reader tries next if the value is missing or `null`.
@attached(peer)
public macro Key(json: String, or others: String...) =
  #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Declares how a property is read from JSON and written to JSON. Archives always contain the property.
///
///     @JSONRule(.required) var name = ""
///     @JSONRule(.omitted) var token = ""
///
/// - Parameter rules: the rules.
@attached(peer)
public macro JSONRule(_ rules: JSONRules...) = #externalMacro(module: "ArcMacros", type: "MarkMacro")

/// Declares the JSON format of a property's value, or of the dates, enumerations and objects in the value.
///
///     @JSONFormat(.millisecondsSince1970) var joined: Date?
///
/// - Parameter format: the format.
@attached(peer)
public macro JSONFormat(_ format: ValueFormat) = #externalMacro(module: "ArcMacros", type: "MarkMacro")
