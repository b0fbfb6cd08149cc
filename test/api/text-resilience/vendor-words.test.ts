import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CELLS, openTextWorld, type TextWorld } from '../../system/faults/text-world.ts'

const CANARY = 'canary-of-the-prompt'
/** Text of a careless vendor: it repeats the prompt, its own request id and our key. */
const SAID = `I will not answer "${CANARY}" (request id: req_0123456789abcdef) with sk-proj-abCD1234efGH5678.`
const SECRETS = /req_0123456789abcdef|sk-proj-abCD1234efGH5678/

let world: TextWorld
let answer: RequestListener = (_, response) => response.end()
const vendor = createServer(async (request, response) => {
  await text(request)
  answer(request, response)
})

beforeAll(async () => {
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  world = await openTextWorld({ LOG_LEVEL: 'debug' }, { vendorUrl })
})
afterAll(async () => {
  await world.close()
  vendor.close()
  vendor.closeAllConnections()
})

const ERRORS = [
  { type: 'invalid_request_error', status: 400 },
  { type: 'server_error', status: 503 },
] as const

test.each(CELLS.flatMap((cell, turn) => ERRORS.map((error) => ({ ...cell, ...error, turn }))))(
  '$type with status 200 from $model on $path reaches the client without its secrets, and not the log',
  async ({ turn, type, status }) => {
    const error = { type, code: null, message: SAID }
    const event = JSON.stringify({ type: 'error', error })
    for (const stream of [true, false]) {
      answer = (_, response) => {
        response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
        response.end(stream ? `event: error\ndata: ${event}\n\n` : event)
      }
      const reported = await world.open(turn, CANARY, { stream }).ended
      expect({ stream, status: reported.status }).toEqual({ stream, status })
      expect(reported.text).not.toMatch(SECRETS)
      // A client may read the vendor's reason only for a fault in the request.
      expect(reported.text.includes(CANARY)).toBe(status === 400)
    }
    expect(world.gateway.output()).not.toContain(CANARY)
    expect(world.gateway.output()).not.toMatch(SECRETS)
  },
)

test('the log has lines of these requests', async () => {
  await expect.poll(() => world.gateway.output()).toContain('provider_unavailable')
})
