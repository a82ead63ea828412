import Arc
import ArcModel

/// An entry of a list of codes in Debian's package `iso-codes`: languages, countries, currencies and
/// scripts: `{"639-3": [{"alpha_3": "deu", "name": "German", …}, …]}`.
@Archivable final class CodeEntry {
  var name = ""
  @Key(json: "alpha_3", or: "code", "alpha_4", "alpha_2") var code = ""
  var numeric: String?
  var scope: String?
  @Key(json: "type") var kind: String?
  var parent: String?
  @Key(json: "inverted_name", or: "official_name", "common_name") var otherName: String?
  @Key(json: "bibliographic", or: "alpha_2") var shortCode: String?
  var flag: String?
}

typealias CodeLists = [String: [CodeEntry]]
