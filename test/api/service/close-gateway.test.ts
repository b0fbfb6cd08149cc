import { expect, test } from 'vitest'
import { createLog } from '../../../src/adapters/telemetry/log.ts'
import { closeGateway } from '../../../src/process/close-gateway.ts'

function watchedLog() {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  return { log, lines }
}

test('waits until everything is closed, and logs nothing', async () => {
  const { log, lines } = watchedLog()
  const close = Promise.withResolvers<void>()
  let done = false
  const closing = closeGateway({ log, close: () => close.promise }).then(() => {
    done = true
  })
  await new Promise(setImmediate)
  expect(done).toBe(false)
  close.resolve()
  await closing
  expect(lines).toEqual([])
})

test('gives up when a part never closes, and logs it', async () => {
  const { log, lines } = watchedLog()
  await closeGateway({ log, close: () => new Promise(() => {}) }, { patienceMs: 20 })
  expect(lines.join('')).toContain('process.close_timed_out')
})
