import { fc } from '../random/properties.ts'

/** Line ends of a stream and sizes of its pieces, which may split characters. */
export interface Travel {
  lineEnd: string
  sizes: readonly number[]
}

export const arbitraryTravel: fc.Arbitrary<Travel> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  sizes: fc.oneof(
    { weight: 1, arbitrary: fc.constant([1]) },
    { weight: 2, arbitrary: sizesUpTo(40) },
    { weight: 5, arbitrary: sizesUpTo(2_000) },
  ),
})

function sizesUpTo(max: number): fc.Arbitrary<number[]> {
  return fc.array(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 8 })
}

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
