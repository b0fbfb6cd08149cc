import { expect, test } from 'vitest'
import { storedTask } from '../../../test/api/video/stored-task.ts'
import { SILENT_LOG } from '../../../test/engines/store/silent-log.ts'
import { createSecrets } from '../../adapters/system/secrets.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import type { TaskWithContent, WholeTask } from '../../ports/tasks.ts'
import type { Reading } from '../../ports/video-driver.ts'
import { encryptContent, encryptTicket, viewOf } from './encrypted.ts'
import { type SyncTask, syncTask } from './sync-task.ts'

const NOON_MS = 1_700_000_000_000
const HOUR_MS = 3_600_000
const RUNNING: Snapshot = { status: 'running', content: undefined, error: undefined, measured: {} }
const secrets = createSecrets('a secret of the tests, long enough')
const task = storedTask({ encryptedTicket: encryptTicket('ticket-1', 'task_1', secrets) })

/** A vendor that answers when the test says so. */
function openScenario({ patienceMs, isThere = true }: { patienceMs: number; isThere?: boolean }) {
  const taken: string[] = []
  const asked: { ticket: string; answer(reading: Reading): void; fail(error: Error): void }[] = []
  const driver = {
    create: () => Promise.reject(new Error('not asked for')),
    read: (ticket: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<Reading>()
      asked.push({ ticket, answer: resolve, fail: reject })
      return promise
    },
  }
  const sync: SyncTask = syncTask({
    findVendor: () =>
      isThere ? { name: 'vendorA', driver, makes: () => true, expiresAfterSeconds: undefined } : undefined,
    applySnapshot: async (known, { status }): Promise<TaskWithContent> => {
      taken.push(status)
      return { ...task, ...known, status, updatedAtMs: 1 }
    },
    secrets,
    clock: { nowMs: () => NOON_MS, monotonicMs: () => 0 },
    log: SILENT_LOG,
    patienceMs,
  })
  return { sync, asked, taken }
}

test('a thousand requests for one task share one call', async () => {
  const { sync, asked } = openScenario({ patienceMs: 60_000 })
  const answers = Array.from({ length: 1_000 }, () => sync(task))
  expect(asked.map(({ ticket }) => ticket)).toEqual(['ticket-1'])
  asked[0]?.answer({ kind: 'snapshot', snapshot: RUNNING })
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe('running')
})

test('the next call begins after the last one has ended', async () => {
  const { sync, asked } = openScenario({ patienceMs: 60_000 })
  const first = sync(task)
  asked[0]?.answer({ kind: 'snapshot', snapshot: RUNNING })
  await first
  void sync(task)
  expect(asked).toHaveLength(2)
})

test.each([
  { ageMs: HOUR_MS, taken: [] },
  { ageMs: HOUR_MS + 1, taken: ['succeeded'] },
])('a new link is shown, and stored only if the stored link is old: %j', async ({ ageMs, taken }) => {
  const setup = openScenario({ patienceMs: 60_000 })
  const done = storedTask({
    status: 'succeeded',
    encryptedTicket: task.encryptedTicket,
    encryptedContent: encryptContent({ video_url: 'old' }, 'task_1', secrets),
    updatedAtMs: NOON_MS - ageMs,
  })
  const answer = setup.sync(done)
  const snapshot: Snapshot = { ...RUNNING, status: 'succeeded', content: { video_url: 'new' } }
  setup.asked[0]?.answer({ kind: 'snapshot', snapshot })
  const shown = await answer
  if (taken.length === 0) expect(viewOf(shown, secrets).content).toEqual({ video_url: 'new' })
  expect(setup.taken).toEqual(taken)
})

test('each task has its own call', () => {
  const { sync, asked } = openScenario({ patienceMs: 60_000 })
  void sync(task)
  void sync(storedTask({ id: 'task_2', encryptedTicket: encryptTicket('ticket-2', 'task_2', secrets) }))
  expect(asked.map(({ ticket }) => ticket)).toEqual(['ticket-1', 'ticket-2'])
})

test('a request that has waited long enough gets the stored state, and the call continues', async () => {
  const { sync, asked } = openScenario({ patienceMs: 1 })
  expect(await sync(task)).toBe(task)
  expect(await sync(task)).toBe(task)
  expect(asked).toHaveLength(1)
  asked[0]?.answer({ kind: 'snapshot', snapshot: RUNNING })
  await expect
    .poll(() => {
      void sync(task)
      return asked.length
    })
    .toBe(2)
})

test.each<Reading>([{ kind: 'gone' }, { kind: 'unanswered', cause: undefined, retryAfterMs: undefined }])(
  'the stored state is returned when the vendor answers %j',
  async (reading) => {
    const { sync, asked } = openScenario({ patienceMs: 60_000 })
    const answer = sync(task)
    asked[0]?.answer(reading)
    expect(await answer).toBe(task)
  },
)

test('a driver that throws is a failed poll, not a failed task', async () => {
  const { sync, asked } = openScenario({ patienceMs: 60_000 })
  const answer = sync(task)
  asked[0]?.fail(new Error('a fault of ours'))
  expect(await answer).toBe(task)
})

test.each<[string, WholeTask]>([
  ['failed', { ...task, status: 'failed' }],
  ['cancelled', { ...task, status: 'cancelled' }],
  ['without a ticket', { ...task, encryptedTicket: null }],
  [
    'with the ticket of another task',
    storedTask({ encryptedTicket: encryptTicket('ticket-1', 'task_9', secrets) }),
  ],
])('a task that is %s is not polled', async (_name, known) => {
  const { sync, asked } = openScenario({ patienceMs: 60_000 })
  expect(await sync(known)).toBe(known)
  expect(asked).toEqual([])
})

test('a task whose provider is no longer configured is not polled', async () => {
  const { sync, asked } = openScenario({ patienceMs: 60_000, isThere: false })
  expect(await sync(task)).toBe(task)
  expect(asked).toEqual([])
})
