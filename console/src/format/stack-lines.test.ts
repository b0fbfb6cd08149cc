import { expect, test } from 'vitest'
import { rangeBetween } from './ranges.ts'
import { stackLines } from './stack-lines.ts'

const NONE = { requests: 0, errors: 0, input_tokens: 0, output_tokens: 0, video_seconds: 0 }
const range = rangeBetween('2026-11-18T10:20:00Z', '2026-11-18T13:00:00Z', Date.parse('2026-11-18T13:00:00Z'))

test('the five largest groups have a line each, and the others share one', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((model, index) => ({
    ...{ ...NONE, model, hour: '2026-11-18T11:00:00.000Z', cost_micros: 100 - index },
  }))
  if (range === undefined) throw new Error('a range')
  const lines = stackLines(rows, 'model', range, (row) => row.cost_micros, 'Others')
  expect(lines.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd', 'e', 'Others'])
  expect(lines[0]?.values).toEqual([0, 100, 0])
  expect(lines.at(-1)?.values).toEqual([0, 95 + 94, 0])
  expect(stackLines(rows.slice(0, 2), 'model', range, (row) => row.cost_micros, 'Others')).toHaveLength(2)
})
