# The container of .arc files, version 1.0, for Kaitai Struct 0.10 and later (https://kaitai.io). The pages in this folder
# are authoritative. Brackets name rules that only the pages can express.
#
# Parts that need the class table are omitted: the blocks of a ROWS segment, the lists of a directory, and the meaning of
# the values of a chunk.
meta:
  id: arc
  title: Arc object archive
  application: Arc
  file-extension: arc
  endian: le
  bit-endian: le
  license: Apache-2.0
doc-ref: 02-container.md

seq:
  - id: header
    type: header
  - id: segments
    type: segment
    repeat: until
    repeat-until: _io.pos >= trailer.ofs_index
    doc: At least one, because row 0 exists.
  - id: index
    type: segment
    doc: Ends where the trailer begins [I1].
instances:
  trailer:
    pos: _io.size - 32
    type: trailer

types:
  header:
    doc-ref: 02-container.md, section 1
    seq:
      - id: signature
        contents: [0x8a, 0x41, 0x52, 0x43, 0x0d, 0x0a, 0x1a, 0x0a]
      - id: major
        type: u2
      - id: minor
        type: u2
      - id: required_features
        type: u4
      - id: optional_features
        type: u4
      - id: reserved
        type: u8
        valid: 0
      - id: checksum
        type: u4
        doc: CRC-32 of bytes 0 to 27.

  segment:
    doc: Begins at a multiple of 8.
    doc-ref: 02-container.md, section 2
    seq:
      - id: kind
        type: u4
        enum: kind
      - id: is_optional
        type: b1
        doc: A reader that does not know the kind ignores the segment.
      - id: reserved_flags
        type: b7
        valid: 0
      - id: codec
        type: u1
        enum: codec
      - id: reserved
        type: u2
        valid: 0
      - id: len_stored
        type: u8
      - id: len_raw
        type: u8
      - id: payload
        size: len_stored
        type:
          switch-on: codec
          cases:
            codec::none: payload(kind)
            codec::zlib: zlib_blocks(kind, len_raw)
      - id: padding
        size: (8 - (len_stored + 4) % 8) % 8
        doc: Zeros [S5].
      - id: checksum
        type: u4
        doc: CRC-32 of all bytes of the segment before it.
    enums:
      codec:
        0: none
        1: zlib

  zlib_blocks:
    doc: |
      The payload in zlib blocks of 2 MiB, each compressed separately; the last block may be shorter. Kaitai Struct
      parses a payload of one block. The blocks of a longer payload must be concatenated first.
    doc-ref: 02-container.md, section 3
    params:
      - id: kind
        type: u4
        enum: kind
      - id: len_raw
        type: u8
    seq:
      - id: single
        type: zlib_payload(kind)
        if: len_raw > 0 and len_raw <= 2097152
      - id: blocks
        type: zlib_block
        repeat: eos
        if: len_raw > 2097152

  zlib_payload:
    params:
      - id: kind
        type: u4
        enum: kind
    seq:
      - id: len_stored
        type: u4
      - id: payload
        size: len_stored
        process: zlib
        type: payload(kind)

  zlib_block:
    seq:
      - id: len_stored
        type: u4
      - id: payload
        size: len_stored
        process: zlib

  payload:
    params:
      - id: kind
        type: u4
        enum: kind
    seq:
      - id: body
        type:
          switch-on: kind
          cases:
            kind::meta: metadata
            kind::clss: classes
            kind::strs: strings
            kind::rows: rows
            kind::link: links
            kind::indx: entries
            kind::cdir: directory
            kind::zpts: directory
            _: unknown

  varint:
    doc: |
      Unsigned LEB128 in its shortest form, at most 64 bits [B1]. This type is defined here because older versions of
      Kaitai's common type read numbers from 2^56 on wrongly.
    doc-ref: 02-container.md, B1
    seq:
      - id: groups
        type: |
          group(_index, _index == 0 ? 0 : groups[_index - 1].sum, _index == 0 ? 1 : groups[_index - 1].factor * 128)
        repeat: until
        repeat-until: not _.has_next
    instances:
      value:
        value: groups.last.sum
    types:
      group:
        params:
          - id: idx
            type: s4
          - id: previous_sum
            type: u8
          - id: factor
            type: u8
        seq:
          - id: digits
            type: b7
            valid:
              expr: idx < 9 or _ <= 1
          - id: has_next
            type: b1
            valid:
              expr: '_ ? idx < 9 : (digits != 0 or idx == 0)'
        instances:
          sum:
            value: (previous_sum + digits * factor).as<u8>

  unknown:
    seq:
      - id: bytes
        size-eos: true

  text:
    doc-ref: 02-container.md, B3
    seq:
      - id: len
        type: varint
      - id: value
        type: str
        encoding: UTF-8
        size: len.value

  metadata:
    doc-ref: 02-container.md, section 6
    seq:
      - id: num_pairs
        type: varint
      - id: pairs
        type: pair
        repeat: expr
        repeat-expr: num_pairs.value
        doc: Keys ascend by their bytes [D1].
    types:
      pair:
        seq:
          - id: key
            type: text
          - id: value
            type: text

  classes:
    doc-ref: 03-classes.md, section 2
    seq:
      - id: num_entries
        type: varint
      - id: entries
        type: entry
        repeat: expr
        repeat-expr: num_entries.value
    types:
      entry:
        doc: |
          A new class, or columns that are added to a known class. Only the number of classes so far distinguishes
          them [C1]. This type reads every entry as a new class, as in files that add no columns.
        seq:
          - id: class_index
            type: varint
          - id: name
            type: text
          - id: superclass
            type: varint
            doc: 0 for none, otherwise index + 1.
          - id: version
            type: varint
          - id: num_columns
            type: varint
          - id: columns
            type: column
            repeat: expr
            repeat-expr: num_columns.value
      column:
        seq:
          - id: declaring_class
            type: varint
          - id: key
            type: text
          - id: attributes
            type: text
          - id: is_construction
            type: b1
          - id: is_keyed
            type: b1
          - id: reserved
            type: b6
            valid: 0

  strings:
    doc-ref: 04-columns.md, section 4
    seq:
      - id: num_strings
        type: varint
      - id: width
        type: u1
        valid:
          any-of: [1, 2, 4, 8]
      - id: lengths
        type:
          switch-on: width
          cases:
            1: u1
            2: u2
            4: u4
            8: u8
        repeat: expr
        repeat-expr: num_strings.value
      - id: strings
        type: str
        encoding: UTF-8
        size: lengths[_index].as<u8>
        repeat: expr
        repeat-expr: num_strings.value

  rows:
    doc-ref: 04-columns.md, section 6
    seq:
      - id: num_runs
        type: varint
      - id: runs
        type: run
        repeat: expr
        repeat-expr: num_runs.value
      - id: blocks
        size-eos: true
        doc: |
          For each class that occurs, in ascending order, a varint column count and chunks. The class table determines
          how many chunks a column has.
    types:
      run:
        seq:
          - id: class_index
            type: varint
          - id: length
            type: varint

  links:
    doc-ref: 04-columns.md, section 7
    seq:
      - id: chunks
        type: chunk
        repeat: eos

  chunk:
    doc-ref: 04-columns.md, section 2
    seq:
      - id: len
        type: varint
      - id: content
        type: content
        size: len.value
    types:
      content:
        seq:
          - id: num_values
            type: varint
          - id: encoding
            type: u1
          - id: values
            size-eos: true

  entries:
    doc-ref: 02-container.md, section 5
    seq:
      - id: writer
        type: text
        doc: Name and version of the writer.
      - id: num_entries
        type: varint
      - id: entries
        type: entry
        repeat: expr
        repeat-expr: num_entries.value
    types:
      entry:
        seq:
          - id: kind
            type: u4
            enum: kind
          - id: codec
            type: varint
          - id: len_stored
            type: varint
          - id: len_raw
            type: varint
          - id: first
            type: varint
          - id: count
            type: varint

  directory:
    doc: |
      Optional: a directory, or points for decompression. The lists are integer sequences. In a directory, the class
      table determines how many chunks they describe.
    doc-ref: 13-directory.md, sections 2 and 5
    seq:
      - id: num_segments
        type: varint
      - id: lists
        size-eos: true

  trailer:
    doc-ref: 02-container.md, section 4
    seq:
      - id: ofs_index
        type: u8
      - id: num_rows
        type: u8
      - id: num_segments
        type: u4
      - id: segments_checksum
        type: u4
        doc: CRC-32 of the checksums of the segments before the index, 4 bytes each.
      - id: checksum
        type: u4
        doc: CRC-32 of bytes 0 to 23 of the trailer.
      - id: signature
        contents: [0x43, 0x52, 0x41, 0x8a]

enums:
  kind:
    # Four ASCII characters, read as a little-endian number.
    0x4154454d: meta
    0x53534c43: clss
    0x53525453: strs
    0x53574f52: rows
    0x4b4e494c: link
    0x58444e49: indx
    0x52494443: cdir
    0x5354505a: zpts
