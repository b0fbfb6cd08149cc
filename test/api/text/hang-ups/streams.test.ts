import { DIALECT_NAMES, type Dialect } from '@sluice/dialects/dialect-facts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HangUps, openHangUps } from './open-hang-ups.ts'
import { hasMoment, MOMENTS, type Moment, sendAll, sendUntil } from './vendor-streams.ts'

let hangUps: HangUps
beforeAll(async () => {
  hangUps = await openHangUps()
})
afterAll(() => hangUps.close())

/**
 * Micro-USD by the vendor's dialect. `Hi` is 7 tokens by our own count, which applies until the vendor has counted; each
 * piece of the text is 3. The prices of a million tokens in and out: 1 and 5 USD, 1.1 and 4.4 USD, 0.4 and 1.6 USD.
 */
const MICROS: Record<Dialect, Record<Moment | 'at the end', number>> = {
  messages: {
    'before the head': 7,
    'after the head': 7,
    'after the first event without content': 105,
    'after the first content': 115,
    'in the middle': 130,
    'after the last content': 145,
    'after the usage': 125,
    'at the end': 125,
  },
  responses: {
    'before the head': 8,
    'after the head': 8,
    'after the first event without content': 8,
    'after the first content': 21,
    'in the middle': 34,
    'after the last content': 47,
    'after the usage': 132,
    'at the end': 132,
  },
  chat: {
    'before the head': 3,
    'after the head': 3,
    'after the first event without content': 3,
    'after the first content': 8,
    'in the middle': 12,
    'after the last content': 17,
    'after the usage': 48,
    'at the end': 48,
  },
}

const CELLS = DIALECT_NAMES.flatMap((vendor) => DIALECT_NAMES.map((endpoint) => ({ endpoint, vendor })))

describe.each(CELLS)('a stream of $endpoint from a $vendor vendor', ({ endpoint, vendor }) => {
  const rows = MOMENTS.filter((moment) => hasMoment(vendor, moment)).map(
    (moment) => [moment, MICROS[vendor][moment]] as const,
  )

  test.each(rows)('499 left %s costs %i micros, and its vendor is hung up on', async (moment, costMicros) => {
    const call = await hangUps.ask({ endpoint, vendor, stream: true })
    sendUntil(call.reply, vendor, moment)
    await call.arrived()
    call.hangUp()
    await call.closed
    expect(call.reply.writableEnded).toBe(false)
    expect(await call.charged()).toMatchObject({ outcome: 'hung-up', cost_micros: costMicros })
  })

  test(`200 read to its end costs ${MICROS[vendor]['at the end']} micros`, async () => {
    const call = await hangUps.ask({ endpoint, vendor, stream: true })
    sendAll(call.reply, vendor)
    expect(await call.ended).toMatchObject({ status: 200, isBroken: false })
    expect(await call.charged()).toMatchObject({
      outcome: 'completed',
      cost_micros: MICROS[vendor]['at the end'],
    })
  })
})

test('every hold is released, and every balance is less by the charges alone', async () => {
  await hangUps.expectBooks()
})
