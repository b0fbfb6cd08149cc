import { expect, test } from 'vitest'
import { answer, shown } from './present.ts'

const ATTEMPT = answer(
  {
    id: shown.text(),
    upstream_id: shown.text(),
    cost_micros: shown.micros(),
    sent_at: shown.time(),
    ended_at: shown.timeOrNull(),
  },
  { upstream_id: 'ticket', sent_at: 'beganAt' },
)
const ROW = { beganAtMs: 0, endedAtMs: null, id: 'a_1', ticket: 'v-1', costMicros: 250, digest: 'secret' }

test('a row is shown with the members of its schema, in their order, and without other fields', () => {
  expect(JSON.stringify(ATTEMPT.present(ROW))).toBe(
    '{"id":"a_1","upstream_id":"v-1","cost_micros":250,"sent_at":"1970-01-01T00:00:00.000Z","ended_at":null}',
  )
})

test('the compiler refuses a row that lacks a field of its answer, or whose time is not a number', () => {
  const { ticket: _ticket, ...rest } = ROW
  // @ts-expect-error The row has no ticket.
  ATTEMPT.present(rest)
  // @ts-expect-error `beganAtMs` is a text.
  ATTEMPT.present({ ...ROW, beganAtMs: '1970-01-01' })
})
