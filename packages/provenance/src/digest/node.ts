import { createHash } from 'node:crypto'

/** Hashes chunks without keeping them; `algorithm` is a name such as SHA-256. */
export async function digest(algorithm: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const hash = createHash(algorithm.replace('-', ''))
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest()
}
