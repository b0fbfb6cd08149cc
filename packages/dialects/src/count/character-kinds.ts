/** Kinds of characters for the token splitter. */
export const LOWER = 0
export const UPPER = 1
/** A letter of the Latin script beyond ASCII. Few tokenizers have a token for a whole word with such a letter. */
export const ACCENTED = 2
export const APOSTROPHE = 3
export const SPACE = 4
export const LINE_BREAK = 5
export const DIGIT = 6
export const SIGN = 7
/** A letter of another alphabet. */
export const LETTER = 8
export const HAN = 9
export const KANA = 10
export const HANGUL = 11
/** Half of a character beyond the first 65,536: most often an emoji. */
export const PICTURE = 12

/** Kind by code unit: one table lookup for every character of a prompt makes counting cheap. */
export const KINDS = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  code < 0x80 ? kindOfAscii(code) : kindBeyondAscii(code),
)

function kindOfAscii(code: number): number {
  if (code === 0x0a || code === 0x0d) return LINE_BREAK
  if (code === 0x20 || code === 0x09) return SPACE
  if (code === 0x27) return APOSTROPHE
  if (code >= 0x30 && code <= 0x39) return DIGIT
  if (code >= 0x41 && code <= 0x5a) return UPPER
  return code >= 0x61 && code <= 0x7a ? LOWER : SIGN
}

function kindBeyondAscii(code: number): number {
  if (code === 0x2019) return APOSTROPHE
  if (code < 0xc0) return SIGN
  if (code < 0x250) return ACCENTED
  if (code < 0x2000) return LETTER
  if (code < 0x3040) return SIGN
  if (code < 0x3100) return KANA
  if (code < 0xa000) return HAN
  if (code < 0xac00) return LETTER
  if (code < 0xd7b0) return HANGUL
  if (code < 0xe000) return PICTURE
  return code >= 0xf900 && code < 0xfb00 ? HAN : SIGN
}
