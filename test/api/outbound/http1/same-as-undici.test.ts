import type { Duplex } from 'node:stream'
import { Client } from 'undici'
import { expect, test } from 'vitest'
import { Http1Client } from '../../../../src/adapters/outbound/http1/http1-client.ts'
import { drawsOf } from '../../../random/full-run.ts'
import { seedOfRun } from '../../../random/seed-of-run.ts'
import { seededRandom } from '../../../random/seeded-random.ts'
import { DIFFERENCES, explain } from './differences.ts'
import { playReply } from './play-reply.ts'
import { drawReply } from './reply-cases.ts'

const WHOLE = 100_000
const CASES = drawsOf({ quick: 2_000, rest: 10_000, whole: WHOLE })
const CONCURRENT = 100

test(`${CASES} replies: the same as with undici, or a difference that is listed`, {
  timeout: 900_000,
}, async () => {
  const random = seededRandom(seedOfRun())
  const unexplained: string[] = []
  const seen = new Set<unknown>()
  let wholes = 0
  for (let done = 0; done < CASES; done += CONCURRENT) {
    const cases = Array.from({ length: CONCURRENT }, () => drawReply(random))
    await Promise.all(
      cases.map(async (each) => {
        const [ours, theirs] = await Promise.all([playReply(each, openOurs), playReply(each, openUndici)])
        const row = explain(each, ours, theirs)
        if (row === undefined)
          unexplained.push(JSON.stringify({ bytes: each.bytes.toString('latin1'), ours, theirs }))
        seen.add(row)
        if (ours.end === 'whole') wholes += 1
      }),
    )
    expect(unexplained).toEqual([])
  }
  expect(wholes).toBeGreaterThan(CASES / 4)
  // A row that no reply shows describes a difference that is gone.
  if (CASES === WHOLE) expect(DIFFERENCES.filter((row) => !seen.has(row) && !row.isOfPauses)).toEqual([])
})

function openOurs(open: () => Duplex): Http1Client {
  return new Http1Client({
    origin: new URL('http://vendor.example'),
    ...{ connections: 2, connectTimeoutMs: 10_000, headersTimeoutMs: 0, bodyTimeoutMs: 0 },
    open: (done) => queueMicrotask(() => done(undefined, open())),
  })
}

function openUndici(open: () => Duplex): Client {
  return new Client('http://vendor.example', {
    ...{ allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 },
    // undici asks for a socket and uses what every duplex has.
    connect: (_options, done) => queueMicrotask(() => Reflect.apply(done, undefined, [null, open()])),
  })
}
