import { expect, test } from 'vitest'
import type { LogFields } from '../ports/log.ts'
import { startLoop } from './schedule.ts'

function createLog() {
  const lines: [string, LogFields | undefined][] = []
  const nothing = () => {}
  const log = {
    debug: nothing,
    info: nothing,
    error: nothing,
    warn: (event: string, fields?: LogFields) => void lines.push([event, fields]),
  }
  return { log, lines }
}

test('a failing run is logged, and the next one follows', async () => {
  const { log, lines } = createLog()
  const error = new Error('unreachable')
  let runs = 0
  const loop = startLoop({
    run: async () => {
      runs += 1
      if (runs === 1) throw error
    },
    everyMs: 1,
    log,
    failure: 'task.claim_failed',
  })
  await expect.poll(() => runs).toBeGreaterThan(2)
  await loop.stop()
  expect(lines).toEqual([['task.claim_failed', { error }]])
})

test('stopping waits for the run that has begun, and no run follows', async () => {
  const { log } = createLog()
  const gate = Promise.withResolvers<void>()
  let begun = 0
  let ended = 0
  const loop = startLoop({
    run: async () => {
      begun += 1
      await gate.promise
      ended += 1
    },
    everyMs: 1,
    log,
    failure: 'task.claim_failed',
  })
  await expect.poll(() => begun).toBe(1)
  let isStopped = false
  const stopping = loop.stop().then(() => {
    isStopped = true
  })
  await Promise.resolve()
  expect(isStopped).toBe(false)
  gate.resolve()
  await stopping
  expect([begun, ended]).toEqual([1, 1])
})
