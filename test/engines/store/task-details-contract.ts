import { beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { OwnTasks } from '../../../src/ports/task-details.ts'
import type { NewTask } from '../../../src/ports/tasks.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { beginAccepted, sampleMove } from './sample-task.ts'

const ORDERED = JSON.stringify({ order: { duration: 5, service_tier: 'fl_x' }, persons: [] })

const OWNER = { keyId: 'key_1', organizationId: 'org_1' }

export function describeTaskDetails(opened: GetOpened): void {
  const tasks = () => opened().store.tasks
  const make = (id: string, part: Partial<NewTask> = {}) =>
    beginAccepted(opened().store, { id, ordered: ORDERED, ...part })
  const listed = async (query: Partial<Parameters<ReturnType<typeof tasks>['listDetailed']>[0]> = {}) =>
    (
      await tasks().listDetailed({
        ...{ ...OWNER, order: 'desc', afterId: undefined, skip: 0, limit: 100 },
        ...query,
      })
    )?.map(({ id }) => id)

  describe('tasks with their details', () => {
    beforeEach(() => createFunded(opened().store, { balance: 10_000 }))

    test('have their order, their unit, and the measures of a success', async () => {
      await make('task_1')
      expect(await tasks().findDetails('task_1')).toStrictEqual({
        ...{ ordered: ORDERED, measured: null, unit: 'video_token' },
      })
      await tasks().move(sampleMove('succeeded', { measured: { completionTokens: 108_900 } }))
      const [row] =
        (await tasks().listDetailed({
          ...{ ...OWNER, order: 'desc', afterId: undefined, skip: 0, limit: 1 },
        })) ?? []
      expect(row).toMatchObject({
        ...{ id: 'task_1', status: 'succeeded', unit: 'video_token', encryptedContent: 'sealed-content' },
        measured: JSON.stringify({ completionTokens: 108_900 }),
      })
      expect(await tasks().findDetails('task_0')).toBeUndefined()
    })

    test('are listed in both orders, after a task, after a deleted task, and after a number of tasks', async () => {
      for (const [at, id] of ['task_1', 'task_2', 'task_3'].entries())
        await make(id, { createdAtMs: MORNING_MS + at })
      expect(await listed()).toEqual(['task_3', 'task_2', 'task_1'])
      expect(await listed({ order: 'asc' })).toEqual(['task_1', 'task_2', 'task_3'])
      expect(await listed({ afterId: 'task_3', limit: 1 })).toEqual(['task_2'])
      expect(await listed({ order: 'asc', afterId: 'task_2' })).toEqual(['task_3'])
      expect(await listed({ skip: 1 })).toEqual(['task_2', 'task_1'])
      await tasks().move(sampleMove('cancelled', { id: 'task_2' }))
      await tasks().remove({ id: 'task_2', keyId: 'key_1', atMs: MORNING_MS })
      expect(await listed({ afterId: 'task_2' })).toEqual(['task_1'])
      expect(await listed({ afterId: 'task_0' })).toBeUndefined()
      expect(await listed({ afterId: 'task_1', keyId: 'key_2' })).toBeUndefined()
    })

    test('are found and counted by unit, status, error, id, model and tier', async () => {
      await make('task_1')
      await make('task_2', {
        ...{ model: 'vendorB/gen-v4-std', ordered: '{}' },
        pricing: { unit: 'second', priceMicros: micros(1), estimatedSeconds: 5 },
      })
      await make('task_3', { keyId: 'key_2' })
      await make('task_4')
      const error = { code: 'task_expired', message: 'It was late.' }
      await tasks().move(sampleMove('failed', { id: 'task_4', error }))
      const cases: [Omit<OwnTasks, keyof typeof OWNER>, string[]][] = [
        [{ unit: 'video_token' }, ['task_4', 'task_1']],
        [{ unit: 'second' }, ['task_2']],
        [{ status: 'queued' }, ['task_2', 'task_1']],
        [{ status: 'failed', errorCode: { is: true, code: 'task_expired' } }, ['task_4']],
        [{ status: 'failed', errorCode: { is: false, code: 'task_expired' } }, []],
        [{ ids: ['task_1', 'task_3', 'task_0'] }, ['task_1']],
        [{ ids: [] }, []],
        [{ model: 'vendorB/gen-v4-std' }, ['task_2']],
        [{ serviceTier: 'fl_x' }, ['task_4', 'task_1']],
        [{ serviceTier: 'flex' }, []],
      ]
      for (const [filter, ids] of cases) {
        expect(await listed(filter)).toEqual(ids)
        expect(await tasks().countOwn({ ...filter, ...OWNER, max: 10 })).toBe(ids.length)
      }
      expect(await tasks().countOwn({ ...OWNER, max: 2 })).toBe(2)
    })

    test('are counted and searched for one organization while another exceeds its share', async () => {
      await make('task_1')
      const other = { keyId: 'key_9', organizationId: 'org_9' }
      const refused = Promise.allSettled(
        Array.from({ length: 100 }, () => tasks().countOwn({ ...other, max: 10 })),
      )
      const own = [tasks().countOwn({ ...OWNER, max: 10 }), listed({ skip: 1 })]
      expect(await Promise.all(own)).toEqual([1, []])
      expect((await refused).at(-1)).toMatchObject({ reason: { code: 'rate_limit_exceeded' } })
    })
  })
}
