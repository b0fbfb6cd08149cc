const QUOTE = 0x22
/** Minimum length of a media string; shorter strings are ids, hashes and short texts. */
const MEDIA_BYTES_MIN = 512
const DATA_URL = /^data:(\w+)\/[^,"]{0,100},/
const MEDIA_TYPE = /^(image|audio|video)\//
/** Base64 in both alphabets, with the escaped slashes of some writers of JSON. */
const BASE64 = /^[\w+/=\\-]*$/
const HEAD_BYTES = 256
/** Length of `image/`. */
const KIND_BYTES_MIN = 6

export interface TextWithoutMedia {
  text: string
  bytes: number
  /** Whether the body continues after the text. */
  isCut: boolean
}

/**
 * Replaces each long string of base64 by `[image, N bytes]` and cuts the result at `bytesMax`. It looks only at quotes,
 * so it accepts streams of JSON and invalid JSON too, and it stops as soon as the result is long enough.
 */
export function withoutMedia(body: Buffer, bytesMax: number): TextWithoutMedia {
  const parts: Buffer[] = []
  // `parts` has the text before `from`; the text from there to `start` is kept as it is.
  let [bytes, from, start, kind] = [0, 0, 0, 'file']
  while (start < body.length && bytes + start - from <= bytesMax) {
    const quote = body.indexOf(QUOTE, start)
    const end = quote === -1 ? body.length : quote
    const length = end - start
    const media = length < MEDIA_BYTES_MIN ? undefined : describeMedia(body.subarray(start, end), kind)
    if (media !== undefined) {
      parts.push(body.subarray(from, start), Buffer.from(media))
      bytes += start - from + media.length
      from = end
      kind = 'file'
    } else if (length >= KIND_BYTES_MIN && length < HEAD_BYTES)
      kind = MEDIA_TYPE.exec(body.toString('latin1', start, end))?.[1] ?? kind
    start = end + 1
  }
  parts.push(body.subarray(from, Math.min(start, from + Math.max(0, bytesMax - bytes) + 1)))
  const whole = Buffer.concat(parts)
  const isCut = start < body.length || whole.length > bytesMax
  const text = whole.subarray(0, bytesMax).toString('utf8')
  // A cut through a character leaves a replacement character at the end.
  return { text: isCut ? text.replace(/\ufffd$/, '') : text, bytes: Math.min(whole.length, bytesMax), isCut }
}

/** undefined: the string is not media. Only the two ends of the string are checked. */
function describeMedia(string: Buffer, kindBefore: string): string | undefined {
  const head = string.toString('latin1', 0, HEAD_BYTES)
  const url = DATA_URL.exec(head)
  const prefix = url?.[0].length ?? 0
  if (!BASE64.test(head.slice(prefix)) || !BASE64.test(string.toString('latin1', string.length - HEAD_BYTES)))
    return undefined
  const named = url?.[1] ?? kindBefore
  const kind = named === 'image' || named === 'audio' || named === 'video' ? named : 'file'
  return `[${kind}, ${Math.floor(((string.length - prefix) * 3) / 4)} bytes]`
}
