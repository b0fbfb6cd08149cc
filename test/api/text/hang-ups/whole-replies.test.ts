import { DIALECT_NAMES, type Dialect } from '@sluice/dialects/dialect-facts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asked, type HangUps, openHangUps } from './open-hang-ups.ts'
import { WHOLE_REPLIES } from './vendor-streams.ts'

/** `hangUps` waits long for the vendor's count, and `impatient` only 50 ms. */
let hangUps: HangUps
let impatient: HangUps
beforeAll(async () => {
  hangUps = await openHangUps()
  impatient = await openHangUps({ HANG_UP_LISTEN_MS: '50' })
})
afterAll(() => Promise.all([hangUps.close(), impatient.close()]))

/**
 * Micro-USD by the vendor's dialect. Counted: 100 tokens in and 5 out. Not counted: `Hi` is 7 tokens by our own count, and
 * the request allows 2 tokens of output, fewer than the model writes in 50 ms. Unbegun: only the 7 tokens of input.
 */
const MICROS: Record<Dialect, { counted: number; uncounted: number; unbegun: number }> = {
  messages: { counted: 125, uncounted: 17, unbegun: 7 },
  responses: { counted: 132, uncounted: 17, unbegun: 8 },
  chat: { counted: 48, uncounted: 6, unbegun: 3 },
}

const CELLS = DIALECT_NAMES.flatMap((vendor) =>
  DIALECT_NAMES.flatMap((endpoint) =>
    (['before the head', 'in the body'] as const).map((moment) => ({ endpoint, vendor, moment })),
  ),
)

describe.each(CELLS)('a whole reply of $endpoint from a $vendor vendor, left $moment', (cell) => {
  const { endpoint, vendor, moment } = cell
  const half = WHOLE_REPLIES[vendor].length / 2
  const begin = async ({ reply, arrived }: Asked) => {
    if (moment === 'before the head') return
    reply.writeHead(200, { 'content-type': 'application/json' }).write(WHOLE_REPLIES[vendor].slice(0, half))
    await arrived()
  }

  const { counted } = MICROS[vendor]
  const uncounted = moment === 'before the head' ? MICROS[vendor].unbegun : MICROS[vendor].uncounted

  test(`499 costs ${counted} micros, as the vendor counts it at its end`, async () => {
    const before = await hangUps.closedCount()
    const call = await hangUps.ask({ endpoint, vendor, stream: false })
    await begin(call)
    call.hangUp()
    await expect.poll(hangUps.closedCount).toBe(before + 1)
    if (moment === 'before the head') call.reply.writeHead(200, { 'content-type': 'application/json' })
    call.reply.end(WHOLE_REPLIES[vendor].slice(moment === 'before the head' ? 0 : half))
    await call.closed
    expect(await call.charged()).toMatchObject({ outcome: 'hung-up', cost_micros: counted })
  })

  test(`499 costs ${uncounted} micros where the vendor does not end it, and its vendor is hung up on`, async () => {
    const call = await impatient.ask({ endpoint, vendor, stream: false, maxTokens: 2 })
    await begin(call)
    call.hangUp()
    await call.closed
    expect(call.reply.writableEnded).toBe(false)
    expect(await call.charged()).toMatchObject({ outcome: 'hung-up', cost_micros: uncounted })
  })
})

test('every hold is released, and every balance is less by the charges alone', async () => {
  await hangUps.expectBooks()
  await impatient.expectBooks()
})
