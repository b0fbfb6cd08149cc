import { expect, test } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import { CsvReader } from './csv-records.ts'

function read(...chunks: string[]) {
  const reader = new CsvReader()
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()]
}

const fieldsOf = (...chunks: string[]) => read(...chunks).map(({ fields }) => fields)

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'a\tb\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '"a,b;c;d","b"\n1,2',
    [
      ['a,b;c;d', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n"x ""y"", z","line\nend"\n',
    [
      ['a', 'b'],
      ['x "y", z', 'line\nend'],
    ],
  ],
  [
    'a,b\n,\n"",""\n',
    [
      ['a', 'b'],
      ['', ''],
      ['', ''],
    ],
  ],
  ['a\n\n\n1\n""\n', [['a'], ['1'], ['']]],
  [
    'a,b\n5" tall,2',
    [
      ['a', 'b'],
      ['5" tall', '2'],
    ],
  ],
  ['a', [['a']]],
  ['', []],
])('reads %j', (text, records) => {
  expect(fieldsOf(text)).toEqual(records)
})

test('a record has the number of its first line', () => {
  expect(read('a,b\n"x\ny",1\n\n2,3').map(({ line }) => line)).toEqual([1, 2, 5])
})

test.each([
  ['a,b\n1,"2\n3,4\n', 'Line 2 is not CSV: a quote is not closed.'],
  ['a,b\n1,"2"3\n', 'Line 2 is not CSV: text follows a closing quote.'],
  [`a,b\n1,"${'x'.repeat(70_000)}`, 'Line 2 is not CSV: it is longer than 65536 characters'],
  ['x'.repeat(70_000), 'Line 1 is not CSV: the first line is too long.'],
])('refuses invalid CSV (%#)', (text, message) => {
  expect(() => read(text)).toThrow(message)
})

test('valid CSV is read back, in chunks of any size', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', ';', '\n', ' ', 'é', '😀') })
  const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 7 }), (rows, size) => {
      const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
      const text = `h,h\n${rows.map((row) => row.map(quoted).join(',')).join('\n')}`
      const characters = [...text]
      const chunks = Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
        characters.slice(at * size, (at + 1) * size).join(''),
      )
      expect(fieldsOf(...chunks)).toEqual([['h', 'h'], ...rows])
    }),
    runs(500),
  )
})
