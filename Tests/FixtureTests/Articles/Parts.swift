// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc
import Foundation

// The article shows the following lines.

@Archivable final class Library { var albums: [Lazy<Album>] = [] }   // in files, the same as [Album]
@Archivable final class Album { var title = ""; var cover: Picture?; weak var library: Library? }
@Archivable final class Picture { var name = "" }

func titles(in url: URL) throws -> [String] {
  let archive = try LazyArchive(mapping: url)
  let album = try archive.object(Album.self, at: "root.albums[1]")   // one album, with its cover
  let bare = try archive.object(Album.self, at: "root.albums[1]", leavingOut: [.objects(of: Picture.self)])
  let library = try archive.object(Library.self)                     // no other album, before it is asked for
  let same = try library.albums[1].load()
  assert(same === album && album.library === library && bare.cover == nil)
  return try library.albums.map { try $0.load().title }
}

/// Writes a library of three albums and reads their titles. Returns the printed text.
func runParts(in folder: URL) throws -> String {
  var printed = ""
  func print(_ items: Any...) { printed = items.map { "\($0)" }.joined(separator: " ") }
  let library = Library()
  let albums = ["One", "Two", "Three"].map { title in
    let album = Album()
    (album.title, album.cover, album.library) = (title, Picture(), library)
    return album
  }
  library.albums = albums.map { Lazy($0) }
  let url = folder.appendingPathComponent("library.arc")

  try Archiver().write(library, to: url)
  print(try titles(in: url))

  return printed
}
