import { expect } from 'vitest'
import { createIds } from '../../src/adapters/system/ids.ts'
import { createSecrets } from '../../src/adapters/system/secrets.ts'
import { LightBody } from '../../src/app/text/contract/light-body.ts'
import type { ReplySink } from '../../src/app/text/contract/reply-sink.ts'
import type { AnswerText, TextCommand } from '../../src/app/text/contract/text-command.ts'
import { replayReplies } from '../../src/app/text/replay/replay-replies.ts'
import { createRequestClaims } from '../../src/app/text/replay/request-claims.ts'
import { createBodyTurns } from '../../src/app/waiting/body-turns.ts'
import type { Cache } from '../../src/ports/cache.ts'
import { CALLER } from '../caller.ts'
import type { CacheEngine } from '../engines/cache/cache-engine.ts'
import { createLogBook } from '../engines/cache/log-book.ts'
import { openBank } from '../engines/money/bank.ts'
import { createReplica, usageOf } from '../engines/money/replica.ts'
import { openAtOnce } from '../kept-replies/open-at-once.ts'

export type Head = Parameters<ReplySink['begin']>[0]

/** Cost of each reply in micro-USD. */
const COST = 1_110
const CREDIT = 1_000_000
export const LEASE_MS = 30_000
export const DAY_MS = 86_400_000
export const FIRST: Head = { status: 200, headers: { 'content-type': 'x' }, body: 'reply 1 ü' }

type Change = Partial<TextCommand> & { text?: string; keyId?: string }
export type Replays = Awaited<ReturnType<typeof openReplays>>

/** Requests with an `Idempotency-Key` on a real store, real money and a cache; only the vendor is the test's own. */
export async function openReplays(engine: CacheEngine) {
  const bank = await openBank()
  const organizationId = await bank.openOrganization(CREDIT)
  const replica = createReplica({ ...bank, usage: bank.store.usage })
  const log = createLogBook()
  const secrets = createSecrets('a secret of the tests, long enough')
  const asked: TextCommand[] = []

  const commandOf = (change: Change = {}): TextCommand => {
    const { text = '{"model":"v/m","input":"hi"}', keyId = 'key_1', ...rest } = change
    return {
      endpoint: 'responses',
      caller: { ...CALLER, keyId, organizationId },
      body: new LightBody('responses', Buffer.from(text), JSON.parse(text)),
      version: undefined,
      betas: undefined,
      isStrict: false,
      requestId: 'req_1',
      idempotencyKey: 'order 66',
      ...rest,
    }
  }
  const bodyTurns = createBodyTurns(bank.clock)
  /** Organizations whose costly work took a turn. */
  const taken: string[] = []
  const turns: typeof bodyTurns = {
    ...bodyTurns,
    take(holder, run) {
      taken.push(holder)
      bodyTurns.take(holder, run)
    },
  }
  const claimsOf = (requestClaims = bank.store.requestClaims) =>
    createRequestClaims({ requestClaims, clock: bank.clock, newId: createIds(bank.clock), log })
  const over = (cache: Cache, claims = claimsOf()): AnswerText =>
    replayReplies({
      ...{
        cache,
        claims,
        secrets,
        opener: openAtOnce(secrets),
        log,
        turns,
        pause: () => replays.pause(),
      },
    })(async (command: TextCommand, sink) => {
      asked.push(command)
      const spend = await replica.begin(organizationId, COST)
      try {
        await replays.next(sink)
        spend.finish(usageOf(COST), command.claim)
      } finally {
        await spend.abandon()
      }
    })
  const answer = over(engine.cache)
  const replays = {
    ...{ engine, bank, organizationId, replica, log, asked, taken, commandOf, claimsOf, answer },
    /** Reply to the next request. */
    next: async (sink: ReplySink): Promise<void> =>
      sink.begin({ status: 200, headers: { 'content-type': 'x' }, body: `reply ${asked.length} ü` }),
    /** Runs while a request waits for the usage row of another process. */
    pause: async (): Promise<void> => {},
    /** Another process, which shares only the store and the cache. */
    over,
    otherBody: () => commandOf({ text: '{"model":"v/m","input":"ho"}' }),
    async ask(command: TextCommand, through = answer): Promise<Head[]> {
      const { sink, begun } = openSink()
      await through(command, sink)
      return begun
    },
    /** Makes the next request wait until `open` is called. */
    holdNext(): { open(): void } {
      const gate = Promise.withResolvers<void>()
      const reply = replays.next
      replays.next = (sink) => gate.promise.then(() => reply(sink))
      return { open: gate.resolve }
    },
    async expectCharges(count: number): Promise<void> {
      await replica.writeAll()
      expect((await bank.balanceOf(organizationId)).balance).toBe(CREDIT - count * COST)
      expect(bank.usageOf(organizationId)).toEqual({ rows: count, costs: count * COST, losses: 0 })
    },
    async close(): Promise<void> {
      await replica.close()
      await bank.expectSound()
      await bank.close()
    },
  }
  return replays
}

/** A sink as a client has it; call `hangUp` to close the client's connection. */
export function openSink() {
  const begun: Head[] = []
  const state: { hangUp: (() => void) | undefined } = { hangUp: undefined }
  const sink: ReplySink = {
    begin(head) {
      begun.push({ ...head, headers: { ...head.headers } })
      head.headers['x-request-id'] = 'added by the edge'
    },
    write: () => true,
    end() {},
    cut() {},
    onDrain() {},
    onClose: (listener) => {
      state.hangUp = listener
    },
  }
  return { sink, begun, state }
}
