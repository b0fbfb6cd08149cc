/** Few, so that an engine meets few different statements and can keep them prepared. */
const SIZES = [64, 8, 1]

/** Cuts a list of any length into pieces of a few fixed lengths, in the same order. */
export function inChunks<Item>(items: readonly Item[]): Item[][] {
  const chunks: Item[][] = []
  let start = 0
  for (const size of SIZES) {
    for (; items.length - start >= size; start += size) chunks.push(items.slice(start, start + size))
  }
  return chunks
}

/** The one character that PostgreSQL's text cannot hold, and a vendor's words may. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
