/** Size from which a body may hold images. */
const LARGE_BYTES = 256 * 1024
/** Length from which a string gets its own check. */
const LONG_CHARACTERS = 64 * 1024
const MARK = 'an image stands here'
const QUOTE = 0x22

/**
 * Serializes a request for a vendor. Images in base64 are megabytes that need no escaping: they are copied, because reading
 * each of their characters would block other requests. `aboutBytes`: the approximate length.
 */
export function serializeBody(value: object, aboutBytes: number): string | Buffer {
  if (aboutBytes < LARGE_BYTES) return JSON.stringify(value)
  const images: string[] = []
  const json = JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'string' || member.length < LONG_CHARACTERS || !isPlain(member)) return member
    images.push(member)
    return MARK
  })
  if (images.length === 0) return json
  const pieces = json.split(`"${MARK}"`)
  // Another count means that the text of the request contains the mark.
  return pieces.length === images.length + 1 ? join(pieces, images) : JSON.stringify(value)
}

/** Whether a text is base64, alone or in a `data:` URL: then JSON needs no escape for it. */
function isPlain(text: string): boolean {
  // The copy writes one byte a character: any other character would change.
  if (Buffer.byteLength(text) !== text.length) return false
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1
  const head = text.slice(0, comma + 1)
  return JSON.stringify(head).length === head.length + 2 && isBase64(text.slice(comma + 1))
}

/** Decoding is the quickest check: characters that are not base64 are skipped, and then bytes are missing. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
    const piece = text.slice(at, at + PIECE_CHARACTERS)
    const isLast = at + PIECE_CHARACTERS >= text.length
    const padding = isLast ? paddingOf(piece) : 0
    if (PIECE.write(piece, 'base64') !== (piece.length / 4) * 3 - padding) return false
  }
  return true
}

function paddingOf(base64: string): number {
  if (base64.endsWith('==')) return 2
  return base64.endsWith('=') ? 1 : 0
}

/** The decoded bytes are discarded: one small buffer that stays in the cache is enough for all of them. */
const PIECE_CHARACTERS = 64 * 1024
const PIECE = Buffer.alloc((PIECE_CHARACTERS / 4) * 3)

function join(pieces: readonly string[], images: readonly string[]): Buffer {
  let length = 0
  for (const piece of pieces) length += Buffer.byteLength(piece)
  for (const image of images) length += image.length + 2
  const body = Buffer.allocUnsafe(length)
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    at += body.write(piece, at)
    const image = images[index]
    if (image === undefined) continue
    body[at] = QUOTE
    body[at + image.length + 1] = QUOTE
    at += body.write(image, at + 1, 'latin1') + 2
  }
  return body
}
