/** A body of this size may hold images. */
const LARGE_BYTES = 256 * 1024
/** So long a string is worth a look of its own. */
const LONG_CHARACTERS = 64 * 1024
const MARK = 'an image stands here'
const QUOTE = 0x22

/**
 * A request for a vendor as JSON. Images in base64 are megabytes that need no escaping: they are copied as they are, for
 * looking at each of their characters would hold up other requests. `aboutBytes`: how long it will be, roughly.
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
  // Otherwise the text of the request contains the mark itself.
  return pieces.length === images.length + 1 ? join(pieces, images) : JSON.stringify(value)
}

/** Base64, alone or in a `data:` URL: then it stands for itself in JSON. */
function isPlain(text: string): boolean {
  // It is written one byte a character: any other would become another one.
  if (Buffer.byteLength(text) !== text.length) return false
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1
  const head = text.slice(0, comma + 1)
  return JSON.stringify(head).length === head.length + 2 && isBase64(text.slice(comma + 1))
}

/** Decoding is the quickest look: what is no base64 is left out, and then bytes are missing. */
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

/** What is decoded goes nowhere: one small buffer that stays warm is enough for all of it. */
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
