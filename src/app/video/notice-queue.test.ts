import { expect, test } from 'vitest'
import { recordingLog } from '../../../test/engines/video-work/recording-log.ts'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { createNoticeQueue } from './notice-queue.ts'
import { digestNoticeToken, makeNoticeToken, readNoticeToken } from './notice-token.ts'
import type { NoticeRef } from './process-notice.ts'

const SECRETS = createSecrets('a secret of more than thirty-two characters')
const TOKEN = makeNoticeToken(SECRETS, 'org_1')
const DIGEST = digestNoticeToken(TOKEN, SECRETS)

/** A queue whose polls last until the test ends them. */
function openQueue(limits: { slots?: number; waitingMax?: number } = {}) {
  const begun: NoticeRef[] = []
  const open: PromiseWithResolvers<void>[] = []
  const log = recordingLog()
  const notices = createNoticeQueue({
    ...limits,
    secrets: SECRETS,
    log,
    processNotice(notice) {
      begun.push(notice)
      const reading = Promise.withResolvers<void>()
      open.push(reading)
      return reading.promise
    },
  })
  return { notices, begun, open, log }
}

test('a notice causes one poll, with the digest of its token and with its ticket', () => {
  const { notices, begun } = openQueue()
  notices.take({ token: TOKEN, ticket: 'cgt-1' })
  expect(begun).toEqual([{ tokenDigest: DIGEST, ticket: 'cgt-1' }])
})

const OTHER = createSecrets('another secret of more than thirty-two characters')
const FORGED = `${'a'.repeat(32)}${TOKEN.slice(32)}`

test.each([
  undefined,
  '',
  'short',
  `${TOKEN}x`,
  `${TOKEN.slice(0, -1)}%`,
  DIGEST,
  FORGED,
  makeNoticeToken(OTHER, 'org_1'),
])('a text that was never a token, such as %j, has no effect', (token) => {
  const { notices, begun } = openQueue()
  notices.take({ token, ticket: 'cgt-1' })
  expect(begun).toEqual([])
})

test('notices that arrive during a poll of their task cause one more poll, with the ticket that one of them named', async () => {
  const { notices, begun, open } = openQueue()
  notices.take({ token: TOKEN, ticket: undefined })
  notices.take({ token: TOKEN, ticket: 'cgt-1' })
  for (let times = 0; times < 5; times += 1) notices.take({ token: TOKEN, ticket: undefined })
  expect(begun).toHaveLength(1)
  open[0]?.resolve()
  await expect.poll(() => begun.length).toBe(2)
  expect(begun[1]).toEqual({ tokenDigest: DIGEST, ticket: 'cgt-1' })
  open[1]?.resolve()
  await notices.stop()
  expect(begun).toHaveLength(2)
})

test('without a free slot notices wait, and beyond the queue they are dropped', async () => {
  const { notices, begun, open } = openQueue({ slots: 2, waitingMax: 3 })
  for (let number = 0; number < 10; number += 1) {
    notices.take({ token: makeNoticeToken(SECRETS, 'org_1'), ticket: String(number) })
  }
  expect(begun).toHaveLength(2)
  for (let ended = 0; ended < 5; ended += 1) {
    await expect.poll(() => open.length).toBeGreaterThan(ended)
    open[ended]?.resolve()
  }
  await notices.stop()
  expect(begun.map(({ ticket }) => ticket)).toEqual(['0', '1', '2', '3', '4'])
})

test('one organization leaves slots and room to others, and a free slot goes to the organization with the fewest polls', async () => {
  const { notices, begun, open } = openQueue({ slots: 8, waitingMax: 64 })
  const send = (organizationId: string, count: number) => {
    for (let number = 1; number <= count; number += 1)
      notices.take({ token: makeNoticeToken(SECRETS, organizationId), ticket: `${organizationId} ${number}` })
  }
  send('a', 100)
  expect(begun).toHaveLength(7)
  send('b', 3)
  expect(begun.slice(7).map(({ ticket }) => ticket)).toEqual(['b 1'])
  open[0]?.resolve()
  await expect.poll(() => begun.length).toBe(9)
  open[1]?.resolve()
  await expect.poll(() => begun.length).toBe(10)
  expect(begun.slice(8).map(({ ticket }) => ticket)).toEqual(['b 2', 'b 3'])
  for (let ended = 2; ended < 7 + 56 + 3; ended += 1) {
    await expect.poll(() => open.length).toBeGreaterThan(ended)
    open[ended]?.resolve()
  }
  await notices.idle()
  const tickets = begun.map(({ ticket }) => ticket)
  expect(tickets.filter((ticket) => ticket?.startsWith('a'))).toHaveLength(7 + 56)
})

test('a notice with a token of an earlier version, which has no holder, is processed too', () => {
  const { notices, begun } = openQueue()
  const random = 'a'.repeat(32)
  const token = `${random}${SECRETS.digest(`notice:${random}`).slice(0, 16)}`
  notices.take({ token, ticket: 'cgt-1' })
  expect(begun).toEqual([{ tokenDigest: digestNoticeToken(token, SECRETS), ticket: 'cgt-1' }])
})

test('two tokens of an organization show nothing in common', () => {
  const [one, other] = [makeNoticeToken(SECRETS, 'org_1'), makeNoticeToken(SECRETS, 'org_1')]
  expect(one.slice(32, 48)).not.toBe(other.slice(32, 48))
  const holderOf = (token: string) => readNoticeToken(token, SECRETS)?.holder
  expect(holderOf(one)).toBe(holderOf(other))
  expect(holderOf(one)).not.toBe(holderOf(makeNoticeToken(SECRETS, 'org_2')))
})

test('a failing poll is logged, and the next one follows', async () => {
  const { notices, begun, open, log } = openQueue({ slots: 1 })
  notices.take({ token: TOKEN, ticket: undefined })
  notices.take({ token: makeNoticeToken(SECRETS, 'org_1'), ticket: undefined })
  open[0]?.reject(new Error('away'))
  await expect.poll(() => begun.length).toBe(2)
  expect(log.count('notice.failed')).toBe(1)
})

test('nothing begins after the stop', async () => {
  const { notices, begun } = openQueue()
  await notices.stop()
  notices.take({ token: TOKEN, ticket: undefined })
  expect(begun).toEqual([])
})
