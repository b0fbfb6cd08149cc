import { expect, test } from 'vitest'
import { writeEmbeddings } from './embeddings.ts'
import { Field } from './field.ts'

const embed = (body: object): { data: { embedding: number[] }[]; usage: object } =>
  Object(writeEmbeddings(new Field({ model: 'embed', ...body })))

test('each text has its own vector of length 1, the same every time', () => {
  const [first, other, again] = embed({ input: ['a tap', 'a sluice', 'a tap'] }).data.map(
    (row) => row.embedding,
  )
  expect(first).toHaveLength(64)
  expect(Math.hypot(...(first ?? []))).toBeCloseTo(1, 5)
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(embed({ input: 'a tap' }).data[0]?.embedding).toEqual(first)
})

test('texts and tokens are counted', () => {
  expect(embed({ input: ['a tap', 'a sluice'] }).usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
  expect(embed({ input: [1, 2, 3] }).usage).toEqual({ prompt_tokens: 3, total_tokens: 3 })
  expect(embed({ input: [[1, 2], [3]] }).data).toHaveLength(2)
})

test('dimensions and base64 are as asked for', () => {
  const [row] = embed({ input: 'a tap', dimensions: 3, encoding_format: 'base64' }).data
  expect(Buffer.from(String(row?.embedding), 'base64')).toHaveLength(12)
})

test.each([
  [{ input: [] }],
  [{ input: '' }],
  [{ input: [1.5] }],
  [{ input: 'a', dimensions: 0 }],
  [{ input: 'a', dimensions: 4_000 }],
])('refuses %j', (body) => {
  expect(() => embed(body)).toThrow()
})
