import { request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import type { EmbeddingsCommand } from '../../../../src/app/text/text-command.ts'
import { KEY, memoryApp } from '../../http-edge/memory-app.ts'
import { startEdge } from '../../http-edge/start-edge.ts'

const BODY = Buffer.from(JSON.stringify({ model: 'own/embed', input: 'x'.repeat(7 * 1024 * 1024) }))

/** Sends the body; resolves when the use case has it, which does not end before the test. */
async function commandOf(headers: Record<string, string>): Promise<EmbeddingsCommand> {
  const arrived = Promise.withResolvers<EmbeddingsCommand>()
  const gate = Promise.withResolvers<void>()
  const edge = await startEdge({
    app: memoryApp({
      createEmbeddings(command) {
        arrived.resolve(command)
        return gate.promise
      },
    }),
  })
  const sent = request(`${edge.url}/v1/embeddings`, {
    ...{ method: 'POST', agent: false },
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
  })
  sent.on('error', () => {})
  sent.on('response', ({ statusCode }) => arrived.reject(new Error(`answered with ${statusCode}`)))
  onTestFinished(async () => {
    sent.destroy()
    gate.resolve()
    await edge.close()
  })
  sent.end(BODY)
  return arrived.promise
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What is still held in buffers, in bytes. */
function bufferBytes(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

test('createEmbeddings without a key holds no bytes of its body while the vendor works', async () => {
  const before = bufferBytes()
  const command = await commandOf({})
  expect(command.body).not.toHaveProperty('bytes')
  await expect.poll(() => bufferBytes() - before, { timeout: 20_000 }).toBeLessThan(BODY.length / 2)
})

test('createEmbeddings with a key hands on the very bytes that the client sent', async () => {
  const { body } = await commandOf({ 'idempotency-key': 'mine' })
  expect('bytes' in body && body.bytes.equals(BODY)).toBe(true)
})
