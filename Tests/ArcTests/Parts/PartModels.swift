import Arc

// A gallery whose albums are read on demand, and the gallery in another version of the program.

@Archivable("Gallery") final class LazyGallery {
  var name = ""
  var albums: [Lazy<GalleryAlbum>] = []
  var best: Lazy<GalleryAlbum>?
  var byName: [String: Lazy<GalleryAlbum>] = [:]
  init(_ name: String) { self.name = name }
}

@Archivable("Gallery") final class EagerGallery {
  var name = ""
  var albums: [GalleryAlbum] = []
  var best: GalleryAlbum?
  var byName: [String: GalleryAlbum] = [:]
  init(_ name: String) { self.name = name }
}

@Archivable final class GalleryAlbum {
  var title: String
  var photos: [GalleryPhoto] = []
  var cover: GalleryPhoto?
  var next: Lazy<GalleryAlbum>?
  weak var previous: GalleryAlbum?
  var size = GallerySize()
  init(_ title: String, _ photos: [GalleryPhoto] = []) {
    self.title = title
    self.photos = photos
    cover = photos.last
  }
}

@Archivable final class GalleryPhoto {
  var name: String
  var place: GalleryPlace?
  weak var album: GalleryAlbum?
  init(_ name: String) { self.name = name }
}

@Archivable final class GalleryPlace {
  var name: String
  init(_ name: String) { self.name = name }
}

@Archivable struct GallerySize: Equatable { var width = 0.0, height = 0.0 }

/// A class with weak and unowned references to objects that other objects retain.
@Archivable final class GalleryNote {
  unowned let photo: GalleryPhoto
  var text = ""
  init(on photo: GalleryPhoto) { self.photo = photo }
}

@Archivable final class NotedPhotos {
  var notes: [GalleryNote] = []
  var photos: [GalleryPhoto] = []
}

extension LazyGallery {
  /// Returns ten albums with three photos each. All photos refer to one place, and each album refers to the
  /// next album.
  static func sample(albums count: Int = 10) -> LazyGallery {
    let gallery = LazyGallery("sample")
    let place = GalleryPlace("Rome")
    let albums = (0..<count).map { album in
      GalleryAlbum("album \(album)", (0..<3).map { GalleryPhoto("photo \(album).\($0)") })
    }
    for (index, album) in albums.enumerated() {
      album.size = GallerySize(width: Double(index), height: 2)
      album.next = Lazy(albums[(index + 1) % count])
      album.previous = albums[(index + count - 1) % count]
      for photo in album.photos { (photo.album, photo.place) = (album, place) }
    }
    gallery.albums = albums.map { Lazy($0) }
    gallery.best = Lazy(albums[2])
    gallery.byName = ["first": Lazy(albums[0])]
    return gallery
  }
}
