/** Hashes chunks where there is only WebCrypto, which takes all of them at once. */
export async function digest(algorithm: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const kept: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of chunks) kept.push(chunk as Uint8Array<ArrayBuffer>)
  return new Uint8Array(await crypto.subtle.digest(algorithm, await new Blob(kept).arrayBuffer()))
}
