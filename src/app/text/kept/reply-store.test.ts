import { expect, test } from 'vitest'
import { secrets } from '../../../../test/kept-replies/replicas.ts'
import { systemClock } from '../../../adapters/system/clock.ts'
import { createReplyStore, type KeptReply } from './reply-store.ts'

const SHORT = 1_000
const LONG = 200_000
const HUGE = 600_000

/** Counts writes that run at the same time; each takes a few turns of the event loop. */
function openStore() {
  const running = new Map<string, number>()
  const most = new Map<string, number>()
  const replies = createReplyStore({
    values: {
      get: async () => undefined,
      async set(key) {
        const organization = /org_\d/.exec(key)?.[0] ?? ''
        const now = (running.get(organization) ?? 0) + 1
        running.set(organization, now)
        most.set(organization, Math.max(now, most.get(organization) ?? 0))
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
        running.set(organization, now - 1)
      },
      delete: async () => {},
      deleteShare: async () => {},
    },
    secrets,
    opener: {
      text: () => Promise.reject(new Error('no value is stored')),
      split: () => Promise.reject(new Error('no value is stored')),
    },
    turns: { take: (_holder, turn) => void setImmediate(turn) },
    clock: systemClock,
    keptMs: 60_000,
    isCharged: async () => true,
  })
  const keepAll = (organizationId: string, length: number) =>
    Promise.all(['a', 'b', 'c', 'd'].map((id) => replies.keep({ organizationId, id }, replyOf(length))))
  return { keepAll, most }
}

function replyOf(length: number): KeptReply {
  const response = JSON.stringify({ text: 'x'.repeat(length) })
  return { response, isBackground: false, hasEvents: true, parts: 1 }
}

test('huge values of an organization are written one after the other, while other organizations write too', async () => {
  const { keepAll, most } = openStore()
  await Promise.all([keepAll('org_1', HUGE), keepAll('org_2', LONG), keepAll('org_3', SHORT)])
  expect(most.get('org_1')).toBe(1)
  expect(most.get('org_2')).toBeGreaterThan(1)
  expect(most.get('org_3')).toBeGreaterThan(1)
})
