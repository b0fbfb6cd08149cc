/** undefined in browsers, and in versions of Node that cannot give modules without an import. */
const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto')

/** Hashes chunks; `algorithm` is a name such as SHA-256. WebCrypto needs all chunks in memory. */
export async function digest(algorithm: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (nodeCrypto === undefined) return digestWhole(algorithm, chunks)
  const hash = nodeCrypto.createHash(algorithm.replace('-', ''))
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest()
}

async function digestWhole(algorithm: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const kept: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of chunks) kept.push(new Uint8Array(chunk))
  const whole = await new Blob(kept).arrayBuffer()
  return new Uint8Array(await globalThis.crypto.subtle.digest(algorithm, whole))
}
