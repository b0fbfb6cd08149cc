import { expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import { isSameAmount, microsOf, picosOf, readBill } from './read-bill.ts'

async function read(text: string, columns = { ticket: 'task id', usd: 'cost' }) {
  const bytes = new TextEncoder().encode(text)
  // Single bytes: a character may be cut in two.
  const file = (async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte)
  })()
  return readBill(file, { columns, onLines: () => {} })
}

test.each([
  ['0.35', 350_000_000_000n],
  ['.5', 500_000_000_000n],
  ['7', 7_000_000_000_000n],
  ['-0.1', -100_000_000_000n],
  ['+0.1', 100_000_000_000n],
  ['$1,234.50', 1_234_500_000_000_000n],
  ['3.5E-05', 35_000_000n],
  ['1e2', 100_000_000_000_000n],
  ['0.00000000000049', 0n],
  ['0', 0n],
])('%s US dollars are %s millionths of a micro', (text, picos) => {
  expect(picosOf(text)).toBe(picos)
})

test.each(['', '.', '-', '$', '0,35', '1.2.3', '0x1', 'NaN', 'Infinity', '1 000', '12,34', '1e999', '١'])(
  '%j is no amount',
  (text) => {
    expect(picosOf(text)).toBeUndefined()
  },
)

test('amounts are rounded to the nearest micro, and are equal if they differ by less than a micro', () => {
  expect([84_499_999n, 84_500_000n, -84_500_000n].map(microsOf)).toEqual([84, 85, -85])
  const same = (picos: bigint) => isSameAmount(picos, micros(84))
  expect([83_000_000n, 83_000_001n, 84_999_999n, 85_000_000n].map(same)).toEqual([false, true, true, false])
})

test('lines of one id are added up, and lines without an id are counted separately', async () => {
  const { amounts, ...bill } = await read(
    'cost,note, task id \n0.1,é,cgt-1\n0.25,"a, b",cgt-1\n1,,cgt-2\n5,total,\n-1,,cgt-2\n2,short\n',
  )
  expect(bill).toEqual({ lines: 6, withoutId: { lines: 2, picos: 7_000_000_000_000n } })
  expect([...amounts]).toEqual([
    ['cgt-1', 350_000_000_000n],
    ['cgt-2', 0n],
  ])
})

test.each([
  ['', 'The file is empty.'],
  ['id,usd\n', 'The file has no column "task id". Its columns: id, usd.'],
  ['task id,cost,cost\n', 'The file has several columns "cost".'],
  ['task id,cost\ncgt-1,1\ncgt-2,free\n', 'Line 3: column "cost" has no amount in US dollars such as 0.35.'],
  ['task id,cost\ncgt-1\n', 'Line 2: column "cost" has no amount'],
  [`task id,cost\n${'x'.repeat(513)},1\n`, 'Line 2: the id is too long.'],
  ['task id,cost\na,1e80\n', 'Line 2: the amounts up to here come to more than 4 billion US dollars.'],
  ['task id,cost\na,-3e9\nb,2e9\n', 'Line 3: the amounts up to here come to more than 4 billion'],
  [`task id,cost\n${'x'.repeat(70_000)}`, 'Line 2 is not CSV: it is longer than 65536 characters'],
  ['x'.repeat(70_000), 'Line 1 is not CSV: the first line is too long.'],
  ['task id,cost\n"a,1\n', 'Line 2 is not CSV: a quote is not closed.'],
])('a bill that cannot be used is refused (%#)', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})

test('names of columns in a message are short and cannot steer a terminal', async () => {
  const hostile = ['\u001b[2J=cmd()', 'a'.repeat(5_000), ...Array.from({ length: 60 }, (_, at) => `c${at}`)]
  const error = await read(`${hostile.join(',')}\n`).catch((thrown: unknown) => thrown)
  const message = error instanceof Error ? error.message : ''
  expect(message).toContain(`Its columns: [2J=cmd(), ${'a'.repeat(64)}..., c0, c1, `)
  expect(message).toMatch(/c47, \.\.\.\.$/)
  expect(message).not.toMatch(/\p{Cc}/u)
})

test('amounts of 4 billion US dollars still add up to whole micros', async () => {
  const { amounts } = await read('task id,cost\na,2e9\nb,2e9\n')
  expect([...amounts.values()].map(microsOf)).toEqual([2_000_000_000_000_000, 2_000_000_000_000_000])
})
