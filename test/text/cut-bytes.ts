import fc from 'fast-check'

/** How a stream arrives: its ends of lines, and the sizes of its pieces, which fall inside of characters too. */
export interface Travel {
  lineEnd: string
  sizes: readonly number[]
}

export const arbitraryTravel: fc.Arbitrary<Travel> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  sizes: fc.oneof(
    fc.constant([1]),
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
    fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 3 }),
  ),
})

export function travel(sse: string, { lineEnd, sizes }: Travel): Buffer[] {
  return cutBytes(Buffer.from(sse.replaceAll('\n', lineEnd)), sizes)
}

export function cutBytes(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
