import { describe, expect, test } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import { RequestChunks } from './request-chunks.ts'

interface Read {
  content: string
  /** Number of times that content was passed on. */
  pieces: number
  tinyChunks: number
  fault: string | undefined
  isDone: boolean
  rest: string
}

function read(packets: readonly string[], chunksMax = Number.POSITIVE_INFINITY): Read {
  const body = new RequestChunks()
  let rest = Buffer.alloc(0)
  const found = { content: '', pieces: 0, tinyChunks: 0 }
  for (const packet of packets) {
    const bytes = Buffer.concat([rest, Buffer.from(packet, 'latin1')])
    const used = body.read(bytes, 0, chunksMax)
    if (body.content !== undefined) found.pieces += 1
    found.content += body.content?.toString('latin1') ?? ''
    found.tinyChunks += body.tinyChunks
    rest = bytes.subarray(used)
  }
  return { ...found, fault: body.fault, isDone: body.isDone, rest: rest.toString('latin1') }
}

describe('a body in chunks', () => {
  test('of one byte each is passed on once per packet', () => {
    const packet = '1\r\na\r\n'.repeat(10_000)
    const found = read([packet, packet, '0\r\n\r\n'])
    expect(found).toMatchObject({ pieces: 2, tinyChunks: 20_000, isDone: true, fault: undefined, rest: '' })
    expect(found.content).toBe('a'.repeat(20_000))
  })

  test('is read up to a number of chunks, and later continued', () => {
    const packet = '1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\nPOST'
    expect(read([packet], 2)).toMatchObject({
      content: 'abc',
      rest: '3\r\ndef\r\n0\r\n\r\nPOST',
      isDone: false,
    })
    expect(read([packet, '', ''], 2)).toMatchObject({ content: 'abcdef', rest: 'POST', isDone: true })
  })

  test('is the same for packets of any size', () => {
    const sent = `5;a;b="c \\" d"\r\nhello\r\n1\r\n!\r\n40\r\n${'x'.repeat(64)}\r\n0\r\nA: b\r\n\r\nnext`
    const whole = read([sent])
    expect(whole).toMatchObject({ content: `hello!${'x'.repeat(64)}`, isDone: true, rest: 'next' })
    fc.assert(
      fc.property(fc.array(fc.nat(sent.length), { maxLength: 8 }), (places) => {
        const cuts = [0, ...places.toSorted((a, b) => a - b), sent.length]
        const { pieces: _pieces, ...found } = read(cuts.slice(1).map((end, at) => sent.slice(cuts[at], end)))
        const { pieces: _one, ...expected } = whole
        expect(found).toEqual(expected)
      }),
      runs(500),
    )
  })

  test.each([
    ['a sign', '+1\r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['a prefix', '0x1\r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['a space before', ' 1\r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['a space after', '1 \r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['no size', '\r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['nine digits', '000000001\r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['an empty extension', '1;\r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['an open quote', '1;a="b\r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['a NUL', '1;\0\r\na\r\n', 'HPE_INVALID_CHUNK_SIZE'],
    ['a bare LF after the size', '1\na\r\n', 'HPE_STRICT'],
    ['a bare LF after the content', '1\r\na\n0\r\n\r\n', 'HPE_STRICT'],
    ['content that is too long', '1\r\nab\r\n', 'HPE_STRICT'],
    ['a trailer with a length', '0\r\nContent-Length: 5\r\n\r\n', 'HPE_STRICT'],
    ['a trailer that is folded', '0\r\nA: b\r\n c\r\n\r\n', 'HPE_STRICT'],
    ['a trailer without a colon', '0\r\nA\r\n\r\n', 'HPE_STRICT'],
    ['a long line', `1;${'a'.repeat(1_100)}\r\n`, 'HPE_CHUNK_EXTENSIONS_OVERFLOW'],
    ['many extensions', `1;${'a'.repeat(1_000)}\r\na\r\n`.repeat(17), 'HPE_CHUNK_EXTENSIONS_OVERFLOW'],
    ['many trailers', `0\r\n${`a: ${'b'.repeat(1_000)}\r\n`.repeat(17)}`, 'HPE_CHUNK_EXTENSIONS_OVERFLOW'],
  ])('with %s is refused', (_what, sent, fault) => {
    expect(read([sent]).fault).toBe(fault)
  })
})
