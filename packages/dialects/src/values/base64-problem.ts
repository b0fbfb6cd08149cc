/**
 * Problem of a text that cannot be base64; completes "<its name> ...". undefined: it may be. Only its beginning and its
 * length are checked: walking through megabytes would block other requests.
 */
export function base64Problem(data: string): string | undefined {
  if (data === '') return 'must not be empty'
  if (data.slice(0, 5).toLowerCase() === 'data:') {
    return 'must be the base64 alone: leave out all of the data: URL up to and with its comma'
  }
  if (!BEGINNING.test(data.slice(0, LOOKED_AT))) return 'must be base64'
  return hasImpossibleLength(data) ? 'must be base64: it seems to be cut off' : undefined
}

const LOOKED_AT = 64

/** Both alphabets, and line ends: some encoders wrap their lines. */
const BEGINNING = /^[A-Za-z0-9+/_\-\r\n]+={0,2}[\r\n]*$/

/** Four characters encode three bytes; a single last character encodes none. */
function hasImpossibleLength(data: string): boolean {
  if (data.includes('\n')) return false
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return (data.length - padding) % 4 === 1
}
