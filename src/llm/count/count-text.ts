/**
 * About how many tokens a text has, without any vendor's vocabulary. It cuts the text as the vendors' own splitters do
 * (words with the space before them, digits by threes, runs of signs) and gives each piece what such a piece costs
 * on average. English, code and JSON come out within a few percent, other scripts within fifteen.
 */
export function countText(text: string): number {
  let tokens = 0
  let at = 0
  const { length } = text
  while (at < length) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? (ASCII[code] ?? SIGN) : kindOf(code)
    let end = at + 1
    if (kind === LOWER || kind === UPPER) {
      end = endOfWord(text, at, kind)
      tokens += costOfWord(end - at, kind)
    } else {
      while (end < length && kindAt(text, end) === kind) end += 1
      tokens += costOfRun(kind, end - at, code)
    }
    at = end
  }
  return Math.ceil(tokens)
}
