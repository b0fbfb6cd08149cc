import { expect, test } from 'vitest'
import { ChunkTemplate } from './chunk-template.ts'

const chunk = (number: string, text: string) => `{"sequence_number":${number},"delta":"${text}"}`

test.each([
  ['1', '27', 'b'],
  ['"x"', '27', 'b'],
  ['1', '"y"', 'b'],
  ['1', '027', undefined],
  ['1.5', '2.5', undefined],
  ['1.5', '"".5', undefined],
  ['1e3', '""e3', undefined],
])('after a number %s, a chunk with the number %s has the text %s', (sample, number, text) => {
  const template = new ChunkTemplate('delta', ['sequence_number'])
  expect(template.sample(chunk(sample, 'a'))).toBe(true)
  expect(template.textOf(chunk(number, 'b'))).toBe(text)
})
