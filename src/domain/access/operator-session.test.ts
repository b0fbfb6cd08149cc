import { expect, test } from 'vitest'
import {
  isSessionOpen,
  openSession,
  renewedUntilMs,
  SESSION_IDLE_MS,
  SESSION_MS_MAX,
} from './operator-session.ts'

const WHO = { actor: 'ann', role: 'viewer', method: 'token', operatorId: 'opr_1', binding: 'b' } as const
const MINUTE_MS = 60_000

test('a session ends after 30 minutes without a request, to the millisecond', () => {
  const session = openSession(WHO, 1_000)
  expect(SESSION_IDLE_MS).toBe(30 * MINUTE_MS)
  expect(isSessionOpen(session, 1_000 + SESSION_IDLE_MS - 1)).toBe(true)
  expect(isSessionOpen(session, 1_000 + SESSION_IDLE_MS)).toBe(false)
})

test('a request moves the end, at most once a minute', () => {
  const session = openSession(WHO, 0)
  expect(renewedUntilMs(session, MINUTE_MS - 1)).toBeUndefined()
  expect(renewedUntilMs(session, MINUTE_MS)).toBe(31 * MINUTE_MS)
})

test('no request moves the end beyond 12 hours', () => {
  const session = { ...openSession(WHO, 0), expiresAtMs: SESSION_MS_MAX - 5 * MINUTE_MS }
  const renewed = renewedUntilMs(session, SESSION_MS_MAX - 10 * MINUTE_MS)
  expect(renewed).toBe(SESSION_MS_MAX)
  expect(isSessionOpen({ ...session, expiresAtMs: SESSION_MS_MAX }, SESSION_MS_MAX)).toBe(false)
  expect(
    renewedUntilMs({ ...session, expiresAtMs: SESSION_MS_MAX }, SESSION_MS_MAX - MINUTE_MS),
  ).toBeUndefined()
})
