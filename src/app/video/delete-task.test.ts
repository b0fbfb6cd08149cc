import { expect, test } from 'vitest'
import { storedTask } from '../../../test/api/video/stored-task.ts'
import { CALLER as caller } from '../../../test/caller.ts'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { videoModelOf } from '../../domain/video/families/families.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import type { Reading } from '../../ports/video-driver.ts'
import { deleteTask } from './delete-task.ts'
import { encryptTicket } from './encrypted.ts'

const secrets = createSecrets('a secret of the tests, long enough')
/** A vendor that deletes every task. */
function openScenario(reading: Reading) {
  const deleted: string[] = []
  const taken: Snapshot[] = []
  const task = storedTask({
    status: 'running',
    encryptedTicket: encryptTicket('ticket-1', 'task_1', secrets),
  })
  const driver = {
    create: () => Promise.reject(new Error('not asked for')),
    read: async () => reading,
    delete: async (ticket: string) => {
      deleted.push(ticket)
      return { kind: 'deleted' } as const
    },
  }
  const remove = deleteTask({
    tasks: { find: async () => task, remove: async () => true, startAttempt: async () => undefined },
    prices: { findVideoModel: (name) => videoModelOf({ name }) },
    findVendor: () => ({ name: 'vendorA', driver, makes: () => true, expiresAfterSeconds: undefined }),
    applySnapshot: async (known, snapshot) => {
      taken.push(snapshot)
      return { ...task, ...known, status: snapshot.status }
    },
    secrets,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
  })
  return {
    remove: () => remove({ id: 'task_1', caller }),
    deleted,
    statuses: () => taken.map(({ status }) => status),
  }
}

const readingOf = (status: Snapshot['status']): Reading => ({
  kind: 'snapshot',
  snapshot: { status, content: undefined, error: undefined, measured: {} },
})

test('a running task is refused, and the vendor is not asked to delete it', async () => {
  const setup = openScenario(readingOf('running'))
  await expect(setup.remove()).rejects.toMatchObject({ code: 'task_not_deletable' })
  expect(setup.deleted).toEqual([])
  expect(setup.statuses()).toEqual(['running'])
})

test('a queued task is cancelled', async () => {
  const setup = openScenario(readingOf('queued'))
  await setup.remove()
  expect(setup.deleted).toEqual(['ticket-1'])
  expect(setup.statuses()).toEqual(['queued', 'cancelled'])
})

test('a task that the vendor does not know is cancelled, whatever status is stored', async () => {
  const setup = openScenario({ kind: 'gone' })
  await setup.remove()
  expect(setup.statuses()).toEqual(['cancelled'])
})
