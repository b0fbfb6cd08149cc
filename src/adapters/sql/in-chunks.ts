/** Lengths of the chunks: few, so that an engine can keep the statements prepared. */
const SIZES = [64, 8, 1]

/** Cuts a list into chunks of these lengths, in the same order. */
export function inChunks<Item>(items: readonly Item[]): Item[][] {
  const chunks: Item[][] = []
  let start = 0
  for (const size of SIZES) {
    for (; items.length - start >= size; start += size) chunks.push(items.slice(start, start + size))
  }
  return chunks
}

/** Removes the NUL characters of a vendor's text, which PostgreSQL cannot store. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
