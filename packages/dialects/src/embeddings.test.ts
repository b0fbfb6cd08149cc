import { expect, test } from 'vitest'
import { readEmbeddings } from './embeddings.ts'

const read = (text: string) => readEmbeddings(Buffer.from(text), 'own/embed')

test('the reply names the requested model, and every other byte stays', () => {
  const reply = read(
    ' {"object":"list", "data":[{"embedding":[0.10, -2e-7]}],"model":"up","usage":{"prompt_tokens":3,"total_tokens":3}}',
  )
  expect(reply).toMatchObject({
    kind: 'reply',
    tokens: { input: 3, output: 0 },
    vendorUsage: { prompt_tokens: 3 },
  })
  expect(String(Object(reply).body)).toBe(
    ' {"object":"list", "data":[{"embedding":[0.10, -2e-7]}],"model":"own/embed","usage":{"prompt_tokens":3,"total_tokens":3}}',
  )
})

test.each([
  ['{"data":[]}', undefined],
  ['{"data":[],"usage":{"total_tokens":4}}', 4],
  ['{"data":[],"usage":{"prompt_tokens":-1}}', undefined],
  ['{"data":[],"usage":{"prompt_tokens":"3"}}', undefined],
  ['{"data":[],"usage":null}', undefined],
])('the count of %s', (text, input) => {
  expect(Object(read(text)).tokens?.input).toBe(input)
})

test.each(['', '[]', 'no', '{}', '{"data":{}}', '{"error":{"message":"no"}}', '{"data'])(
  '%s is not a reply',
  (text) => {
    expect(read(text)).toMatchObject({ kind: 'failed', failure: { kind: 'broken' } })
  },
)
