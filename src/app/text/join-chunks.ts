/** Most answers come in one piece, which is then given as it is. */
export function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
}
