import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from './sample-rows.ts'

interface TaskRow {
  id: string
  keyId?: string
  status?: string
  createdAtMs?: number
  completedAtMs?: number
  deletedAtMs?: number
}

export function describeTasks(opened: GetOpened): void {
  const list = (
    query: { after?: { createdAtMs: number; id: string }; limit?: number; keyId?: string } = {},
  ) => opened().store.tasks.list({ keyId: 'key_1', after: undefined, limit: 100, ...query })

  async function insert(task: TaskRow): Promise<void> {
    const { keyId = 'key_1', status = 'queued', createdAtMs = MORNING_MS } = task
    await opened().runSql(`
      insert into video_tasks
        (id, api_key_id, organization_id, user_id, model, status, created_at_ms, completed_at_ms, deleted_at_ms)
      values ('${task.id}', '${keyId}', 'org_1', 'usr_1', 'vendorA/gen-2.0', '${status}', ${createdAtMs},
        ${task.completedAtMs ?? 'null'}, ${task.deletedAtMs ?? 'null'})`)
  }

  describe('the list of tasks', () => {
    beforeEach(() => opened().store.organizations.create(sampleOrganization(), sampleAudit()))

    test('shows the fields of a list', async () => {
      await insert({ id: 'task_1', status: 'succeeded', completedAtMs: MORNING_MS + 7 })
      await insert({ id: 'task_0' })
      expect(await list()).toStrictEqual([
        {
          id: 'task_1',
          model: 'vendorA/gen-2.0',
          status: 'succeeded',
          createdAtMs: MORNING_MS,
          completedAtMs: MORNING_MS + 7,
        },
        {
          id: 'task_0',
          model: 'vendorA/gen-2.0',
          status: 'queued',
          createdAtMs: MORNING_MS,
          completedAtMs: null,
        },
      ])
    })

    test('is newest first, and by descending id within a millisecond, in byte order', async () => {
      await insert({ id: 'task_a' })
      await insert({ id: 'task_B' })
      await insert({ id: 'task_9' })
      await insert({ id: 'task_older', createdAtMs: MORNING_MS - 1 })
      await insert({ id: 'task_0', createdAtMs: MORNING_MS + 1 })
      expect((await list()).map(({ id }) => id)).toEqual([
        'task_0',
        'task_a',
        'task_B',
        'task_9',
        'task_older',
      ])
    })

    test('leaves out other keys, deleted tasks and tasks that are still being submitted', async () => {
      await insert({ id: 'task_mine' })
      await insert({ id: 'task_other', keyId: 'key_2' })
      await insert({ id: 'task_deleted', status: 'cancelled', deletedAtMs: MORNING_MS + 1 })
      await insert({ id: 'task_submitting', status: 'submitting' })
      expect((await list()).map(({ id }) => id)).toEqual(['task_mine'])
      expect((await list({ keyId: 'key_2' })).map(({ id }) => id)).toEqual(['task_other'])
      expect(await list({ keyId: 'key_3' })).toEqual([])
    })

    test('pages through equal milliseconds without a gap or a repetition', async () => {
      const ids = Array.from({ length: 25 }, (_, index) => `task_${String(index).padStart(2, '0')}`)
      for (const [index, id] of ids.entries()) {
        await insert({ id, createdAtMs: MORNING_MS + Math.floor(index / 10) })
      }
      const seen: string[] = []
      let page = await list({ limit: 4 })
      while (page.length > 0) {
        seen.push(...page.map(({ id }) => id))
        page = await list({ after: page.at(-1), limit: 4 })
      }
      expect(seen).toEqual(ids.toReversed())
    })

    test('continues from a task that was deleted since', async () => {
      await insert({ id: 'task_1' })
      await insert({ id: 'task_3' })
      const after = { createdAtMs: MORNING_MS, id: 'task_2' }
      expect((await list({ after })).map(({ id }) => id)).toEqual(['task_1'])
    })

    test('has no task with an unknown status: the store refuses it', async () => {
      await expect(insert({ id: 'task_1', status: 'lost' })).rejects.toThrow()
    })
  })
}
