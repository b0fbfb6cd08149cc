import type { HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import { expect, test } from 'vitest'
import type { Threads } from '../../../ports/threads.ts'
import { replyRunner } from './heavy-reply.ts'

test('replies that threads have read at the same time are handed over one after the other', async () => {
  const threads = { run: async () => ({ result: 'read' }) } as unknown as Threads<HeavyJobs>
  const waiting: (() => void)[] = []
  const run = replyRunner(threads, { take: (_holder, next) => void waiting.push(next) })
  let handedOver = 0
  const all = [1, 2].map(() =>
    run('summaryIn', Buffer.from('{}'), {}, 'org_1').then(() => {
      handedOver += 1
    }),
  )
  await expect.poll(() => waiting.length).toBe(2)
  expect(handedOver).toBe(0)
  waiting[0]?.()
  await all[0]
  expect(handedOver).toBe(1)
  waiting[1]?.()
  await Promise.all(all)
})
