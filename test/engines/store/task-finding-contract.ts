import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createFunded } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { begin, beginAccepted, sampleMove } from './sample-task.ts'

export function describeTaskFinding(opened: GetOpened): void {
  const store = () => opened().store
  const tasks = () => store().tasks
  const find = (id = 'task_1', keyId = 'key_1') => tasks().find({ id, keyId })
  const remove = (keyId = 'key_1', id = 'task_1') => tasks().remove({ id, keyId, atMs: MORNING_MS + 3_000 })

  describe('finding a task', () => {
    beforeEach(() => createFunded(store(), { balance: 10_000 }))

    test('is not found by another key, nor while it is being submitted', async () => {
      await begin(store(), { id: 'task_0' })
      await beginAccepted(store())
      expect(await find('task_0')).toBeUndefined()
      expect(await find('task_1', 'key_2')).toBeUndefined()
      expect(await find('task_9')).toBeUndefined()
      expect(await find()).toMatchObject({ id: 'task_1', status: 'queued' })
    })

    test.each(['succeeded', 'failed'] as const)('ends when a %s task is deleted', async (status) => {
      await beginAccepted(store())
      await tasks().move(sampleMove(status))
      await remove()
      expect(await find()).toBeUndefined()
    })

    test('continues when a cancelled task is deleted', async () => {
      await beginAccepted(store())
      await tasks().move(sampleMove('cancelled'))
      await remove()
      expect(await find()).toMatchObject({ status: 'cancelled', deletedAtMs: MORNING_MS + 3_000 })
      expect(await tasks().list({ keyId: 'key_1', after: undefined, limit: 10 })).toEqual([])
    })

    test('by the token of a notice works from the beginning, and for no other token', async () => {
      await begin(store(), { noticeTokenDigest: 'digest-1' })
      expect(await tasks().findByNotice('digest-1')).toMatchObject({ id: 'task_1', status: 'submitting' })
      expect(await tasks().findByNotice('digest-2')).toBeUndefined()
    })

    test('operators find every task, newest first', async () => {
      await createFunded(store(), { id: 'org_2', balance: 1_000 })
      await begin(store(), { id: 'task_1' })
      await beginAccepted(store(), { id: 'task_2', organizationId: 'org_2', userId: 'usr_2' })
      await beginAccepted(store(), { id: 'task_3' })
      await tasks().move(sampleMove('succeeded', { id: 'task_3' }))
      await remove('key_1', 'task_3')
      const list = async (organizationId: string | undefined, limit = 10) =>
        (await tasks().listForOperator({ organizationId, limit })).map(({ id }) => id)
      expect(await list(undefined)).toEqual(['task_3', 'task_2', 'task_1'])
      expect(await list(undefined, 2)).toEqual(['task_3', 'task_2'])
      expect(await list('org_1')).toEqual(['task_3', 'task_1'])
      expect(await list('org_9')).toEqual([])
      expect(await tasks().listForOperator({ organizationId: undefined, limit: 1 })).toEqual([
        await tasks().findForOperator('task_3'),
      ])
    })
  })

  describe('removing a task', () => {
    beforeEach(() => createFunded(store(), { balance: 1_000 }))

    test('is refused while it has not ended, for another key, and a second time', async () => {
      expect(await remove()).toBe(false)
      await begin(store())
      expect(await remove()).toBe(false)
      await tasks().move(sampleMove('failed'))
      expect(await remove('key_2')).toBe(false)
      expect(await remove()).toBe(true)
      expect(await remove()).toBe(false)
      expect(await tasks().findForOperator('task_1')).toMatchObject({ deletedAtMs: MORNING_MS + 3_000 })
      expect(await find()).toBeUndefined()
    })
  })
}
