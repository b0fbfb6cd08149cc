import { expect, test } from 'vitest'
import { TEXT_ENDPOINTS } from '../dialect-facts.ts'
import { createStreamRelay } from './relay-stream.ts'

/** Size of the inputs: each would take minutes if the relay read a part of it again for every line. */
const MANY = 4 * 1024 * 1024

test.each(TEXT_ENDPOINTS)('%s: megabytes of blank lines pass unchanged', (dialect) => {
  for (const line of ['\n', '\r', '\r\n']) {
    const relay = createStreamRelay({ dialect, model: 'v/m', maxFrameBytes: MANY })
    const passed = relay.push(Buffer.alloc(MANY, line))
    expect(relay.state).toBe('flowing')
    expect(passed.length).toBeGreaterThan(MANY - 4)
  }
})

test.each(TEXT_ENDPOINTS)('%s: an event of a million lines is read', (dialect) => {
  for (const end of ['\n', '\r', '\r\n']) {
    const relay = createStreamRelay({ dialect, model: 'v/m', maxFrameBytes: 2 * MANY })
    const lines = `data: 1,${end}`.repeat(MANY / 8)
    relay.push(Buffer.from(`event: error${end}data: [${end}${lines}data: 1]${end}${end}:`))
    expect(relay).toMatchObject({ state: 'failed' })
  }
})
