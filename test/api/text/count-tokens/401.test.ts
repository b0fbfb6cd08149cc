import { expect, onTestFinished, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY, memoryApp } from '../../http-edge/memory-app.ts'
import { startEdge } from '../../http-edge/start-edge.ts'

test('POST /v1/messages/count_tokens asks for a key', async () => {
  const edge = await startEdge({ app: memoryApp({ countTokens: async () => 7 }) })
  onTestFinished(() => edge.close())
  const ask = async (headers: Record<string, string>) => {
    const body = '{"model":"a/b","messages":[{"role":"user","content":"x"}]}'
    const more = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers }
    const url = `${edge.url}/v1/messages/count_tokens?beta=true`
    return readAnswer(await fetch(url, { method: 'POST', headers: more, body }))
  }
  expectError(await ask({}), 'messages', 401)
  expectError(await ask({ 'x-api-key': 'wrong' }), 'messages', 401)
  const spellings: Record<string, string>[] = [{ 'x-api-key': KEY }, { authorization: `Bearer ${KEY}` }]
  for (const headers of spellings) {
    expect(await ask(headers)).toMatchObject({ status: 200, body: '{"input_tokens":7}' })
  }
})
