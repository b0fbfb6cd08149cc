import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LoopbackVendor {
  url: string
  close(): Promise<unknown>
}

/** A vendor of chat completions that lists these models, and answers them for the right key. */
export async function startLoopbackVendor(ids: readonly string[], key: string): Promise<LoopbackVendor> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.headers.authorization !== `Bearer ${key}`) {
      const error = { message: 'Incorrect API key provided.', type: 'authentication_error' }
      return response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    }
    if (request.url === '/v1/models')
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) }))
    const { stream, model } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const head = { id: 'chatcmpl-1', created: 1, model }
    const usage = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 }
    if (stream !== true) {
      const message = { role: 'assistant', content: 'The lock is open.' }
      const choices = [{ index: 0, finish_reason: 'stop', message }]
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
    }
    const chunk = { ...head, object: 'chat.completion.chunk' }
    const delta = { role: 'assistant', content: 'The lock is open.' }
    const events = [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return response.end(
      `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
