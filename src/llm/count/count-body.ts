import { isJsonObject } from '../../domain/json-object.ts'
import { BYTES_PER_TOKEN_MIN } from './bytes-per-token.ts'
import { countPages, IMAGE_TOKENS_MAX } from './count-media.ts'

/**
 * A quick count from above of what goes in with a body, for setting money aside before it is sent: a token for every
 * three bytes, which is more than text, code and JSON come to in any script. Images and documents in base64 would make
 * that absurd, so they count as what they are; they show as very long strings, and only a long body is looked through
 * for them. No string is read for that, only its length and its beginning: 12 MB of image cost microseconds.
 */
export function countBody({ bytes, value }: { bytes: { length: number }; value: object }): number {
  if (bytes.length < MEDIA_CHARACTERS_MIN) return Math.ceil(bytes.length / BYTES_PER_TOKEN_MIN)
  const media = { characters: 0, tokens: 0 }
  addMedia(value, media)
  return Math.ceil((bytes.length - media.characters) / BYTES_PER_TOKEN_MIN) + media.tokens
}

/** A shorter one costs about what its bytes say. */
const MEDIA_CHARACTERS_MIN = 4_096

interface Media {
  characters: number
  tokens: number
}

/** Bodies are nested 64 deep at most, so it may call itself. */
function addMedia(value: unknown, media: Media): void {
  if (Array.isArray(value)) {
    for (const item of value) addMedia(item, media)
    return
  }
  if (!isJsonObject(value)) return
  for (const key in value) {
    const member = value[key]
    if (typeof member === 'object') addMedia(member, media)
    else if (typeof member === 'string' && member.length >= MEDIA_CHARACTERS_MIN && isMedia(member, value))
      addOne(member, typeof value.media_type === 'string' ? value.media_type : member, media)
  }
}

/** What a client says it is, in a `media_type` beside it or at the beginning of a `data:` URL. */
function addOne(base64: string, said: string, media: Media): void {
  media.characters += base64.length
  media.tokens +=
    said.startsWith('image/') || said.startsWith('data:image/') ? IMAGE_TOKENS_MAX : countPages(base64.length)
}

/** A number of thousands of digits that keeps its spelling is no media, whatever it looks like. */
function isMedia(member: string, owner: object): boolean {
  return isBase64(member) && !JSON.isRawJSON(owner)
}

/** Text of that length has a space or a line break in its first hundred characters. */
function isBase64(text: string): boolean {
  if (text.startsWith('data:')) return true
  const head = text.slice(0, 128)
  return !/[^A-Za-z0-9+/=_-]/.test(head)
}
