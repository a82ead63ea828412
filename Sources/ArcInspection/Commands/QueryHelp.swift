/// The language of `get` and `find`, as `arcdump help` explains it.
enum QueryHelp {
  /// Paths: where they begin, and their steps.
  static let paths = """
    A path is what errors and this tool print: root.people[3].address, #17.name. It begins with
      people              the root of that name; with only one, its properties
      #17, Person#17      an object by its number; of a class, checked
      Person, Box<Int>    all objects of a class, those of subclasses too
      *                   all objects
    and goes on with
      .name               a property, a field or a case; of a collection, that of each element
      [3], [-1]           an element, from 0 or from the end; the value for a number
      ["key"]             the value for a text; .keys and .values, .keys[0] and .values[0] are all and single ones
      [CONDITION]         the elements, or the object, for which it holds
      .@count .@class .@id .@text   length, class, number of an object; all texts in it
    A name that is no word is in backticks: .`two words`. A property that a parent class declares under the same key is \
    .`Biology.age`.
    """

  /// Conditions.
  static let conditions = """
    A condition compares properties of an object, or what paths lead to from it:
      name == "Ada"  age >= 30  mother.name != nil  friends.name == "Bob"  friends.@count > 2
      name =~ /^A.*a$/i  name contains "da"  name beginswith "A"  name endswith "a"
      age in [30, 31]  tags contains "red"  shape == .circle  mother == #3  born < "2001-01-01"
      not (a and b) or c   also: ! && ||   isActive   friends[age > 30]   @class == "Dog"   @text contains "x"
    Texts are in quotes of either kind, with the escapes of Swift. Numbers compare as numbers; dates, UUIDs, decimals and \
    URLs with texts in their notation. Of several values, one is enough; nothing is like nil; a != b is not (a == b). \
    @self is the element itself: tags[@self =~ /^r/]. A text contains a text, a collection an element.
    """
}
