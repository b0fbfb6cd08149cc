import { expect, test } from 'vitest'
import type { ReplyEvent } from './canonical/reply-event.ts'
import { VENDOR_DIALECTS } from './dialects.ts'

const ORIGIN = { provider: 'vendorX', toolNames: new Map(), hides: ['https://vendor.example', 'an-odd-key'] }
const ERROR = { message: 'an-odd-key is unknown at https://vendor.example/x' }

test.each([
  ['messages', { type: 'error', error: ERROR }],
  ['responses', { type: 'error', error: ERROR }],
  ['chat', { error: ERROR }],
] as const)('%s: the secrets in an error are hidden, streamed and whole', (dialect, body) => {
  const { readStream, readReply } = VENDOR_DIALECTS[dialect]
  const events: ReplyEvent[] = []
  readStream(ORIGIN, (event) => events.push(event)).frame('error', JSON.stringify(body))
  const failed = { kind: 'reply-failed', failure: { message: '… is unknown at …/x' } }
  expect(events).toMatchObject([failed])
  expect(readReply(body, ORIGIN)).toMatchObject([failed])
})
