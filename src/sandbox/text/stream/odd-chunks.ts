/** Sizes that fall inside of characters, lines and events alike. */
const SIZES = [1, 3, 2, 5, 1, 1, 7, 4]

/** Cuts events where no event should be cut, with the other kind of line ends. */
export function* oddChunks(frames: Iterable<string>): Generator<Uint8Array> {
  for (const frame of frames) {
    const bytes = Buffer.from(frame.replaceAll('\n', '\r\n'))
    let at = 0
    for (let turn = 0; at < bytes.byteLength; turn += 1) {
      const size = SIZES[turn % SIZES.length] ?? 1
      yield bytes.subarray(at, at + size)
      at += size
    }
  }
}
