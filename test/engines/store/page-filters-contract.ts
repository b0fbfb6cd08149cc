import { beforeEach, describe, expect, test } from 'vitest'
import type { TaskFilter } from '../../../src/ports/page-query.ts'
import type { GetOpened } from './opened-store.ts'
import { sampleAsset, sampleAssetMove, sampleGroup, sampleVerification } from './sample-asset.ts'
import {
  createFunded,
  HOUR_MS,
  sampleCost,
  sampleLease,
  sampleUsageRow,
  sampleGroup as usageGroup,
} from './sample-money.ts'
import { MORNING_MS, sampleAudit } from './sample-rows.ts'
import { accept, begin, beginAccepted, DAY_MS, sampleMove } from './sample-task.ts'

/** An id like those of the gateway, which begin with the time. */
function taskId(atMs: number): string {
  return `task_${atMs.toString(16).padStart(12, '0')}${'0'.repeat(20)}`
}

export function describePageFilters(opened: GetOpened): void {
  const store = () => opened().store
  const pages = () => store().operatorPages
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

  describe('lists of an operator, narrowed', () => {
    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await createFunded(store(), { id: 'org_2', balance: 10_000 })
    })

    test('tasks by status, model, moment and silence, in pages', async () => {
      const [old, ended, silent, fresh] = [0, 1, 2, 3].map((hour) => MORNING_MS + hour * HOUR_MS)
      const at = (createdAtMs = 0, part = {}) => ({ id: taskId(createdAtMs), createdAtMs, ...part })
      await begin(store(), at(old))
      await beginAccepted(store(), at(ended, { model: 'vendorB/v4' }))
      await store().tasks.move(sampleMove('succeeded', { id: taskId(ended ?? 0) }))
      await beginAccepted(store(), at(silent, { organizationId: 'org_2' }))
      await begin(store(), at(fresh))
      await accept(store(), sampleMove('queued', { id: taskId(fresh ?? 0), atMs: fresh ?? 0 }))
      const list = async (filter: Partial<TaskFilter>) =>
        idsOf(await store().tasks.listForOperator({ limit: 10, ...filter })).map((id) =>
          [old, ended, silent, fresh].findIndex((ms) => taskId(ms ?? 0) === id),
        )
      expect(await list({ status: 'queued' })).toEqual([3, 2])
      expect(await list({ status: 'queued', organizationId: 'org_2' })).toEqual([2])
      expect(await list({ status: 'queued', limit: 1 })).toEqual([3])
      expect(await list({ status: 'queued', after: taskId(fresh ?? 0) })).toEqual([2])
      expect(await list({ model: 'vendorB/v4' })).toEqual([1])
      expect(await list({ model: 'vendorB/v4', status: 'failed' })).toEqual([])
      expect(await list({ fromMs: ended, toMs: fresh })).toEqual([2, 1])
      expect(await list({ toMs: ended })).toEqual([0])
      expect(await list({ fromMs: Number.MAX_SAFE_INTEGER - 1 })).toEqual([])
      expect(await list({ silentSinceMs: MORNING_MS + 2 * HOUR_MS + 1 })).toEqual([2, 0])
      expect(await list({ silentSinceMs: 0 })).toEqual([])
      await opened().runSql(`update video_tasks set set_aside_at_ms = 1 where id = '${taskId(fresh ?? 0)}'`)
      expect(await list({ silentSinceMs: 0 })).toEqual([3])
    })

    test('tasks and assets by the person of a group; a task of an erased person is not begun', async () => {
      for (const id of ['grp_1', 'grp_2'])
        await store().assets.bindPerson(sampleGroup({ id, kind: 'person', ticket: id }), undefined)
      for (const [id, groupId] of [
        ['ast_1', 'grp_1'],
        ['ast_2', 'grp_2'],
        ['ast_3', 'grp_1'],
      ] as const)
        await store().assets.create(sampleAsset({ id, groupId, ticket: id }), undefined)
      await begin(store(), { id: 'task_1' }, { groupIds: ['grp_1', 'grp_2'] })
      await begin(store(), { id: 'task_2' }, { groupIds: ['grp_1'] })
      await begin(store(), { id: 'task_3' })
      const tasks = async (filter: Partial<TaskFilter>) =>
        idsOf(await store().tasks.listForOperator({ limit: 10, ...filter }))
      expect(await tasks({ groupId: 'grp_1' })).toEqual(['task_2', 'task_1'])
      expect(await tasks({ groupId: 'grp_1', after: 'task_2' })).toEqual(['task_1'])
      expect(await tasks({ groupId: 'grp_1', limit: 1, status: 'submitting' })).toEqual(['task_2'])
      expect(await tasks({ groupId: 'grp_2' })).toEqual(['task_1'])
      expect(await tasks({ groupId: 'grp_1', organizationId: 'org_2' })).toEqual([])
      expect(await tasks({ groupId: 'grp_9' })).toEqual([])
      const assets = async (filter: object) => idsOf(await pages().assets({ limit: 10, ...filter }))
      expect(await assets({ groupId: 'grp_1' })).toEqual(['ast_3', 'ast_1'])
      expect(await assets({ groupId: 'grp_1', after: 'ast_3', status: 'processing' })).toEqual(['ast_1'])
      expect(await assets({ groupId: 'grp_9' })).toEqual([])
      const erased = { groupId: 'grp_1', organizationId: 'org_1' }
      await store().erasures.eraseGroup(erased, sampleAudit({ action: 'person.erase' }), [])
      expect(await opened().runSql('select group_id, task_id from task_groups')).toEqual([
        { group_id: 'grp_2', task_id: 'task_1' },
      ])
      expect(await tasks({})).toEqual(['task_3', 'task_2', 'task_1'])
      for (const [organizationId, groupIds] of [
        ['org_1', ['grp_1']],
        ['org_1', ['grp_2', 'grp_1']],
        ['org_2', ['grp_2']],
      ] as const)
        expect(await begin(store(), { id: 'task_4', organizationId }, { groupIds })).toEqual({
          kind: 'group-gone',
        })
      expect(await store().tasks.findForOperator('task_4')).toBeUndefined()
      expect(await store().organizations.find('org_1')).toMatchObject({ heldMicros: 300 })
      await store().tasks.forget({ id: 'task_1', atMs: MORNING_MS })
      expect(await opened().runSql('select * from task_groups')).toEqual([])
    })

    test('the ledger by kind, task, hold and usage', async () => {
      await beginAccepted(store())
      await store().tasks.move(sampleMove('succeeded'))
      await store().usage.lease(sampleLease([500]))
      const group = { id: 'ent_group', allowances: { org_1: 'hold_a' }, atMs: MORNING_MS }
      await store().usage.write({ ...group, rows: [sampleUsageRow({ cost: 100 })] })
      const refund = (entryId: string, id: string) =>
        store().ledger.refund(
          { entryId, taskId: id, note: 'sorry', amountMicros: undefined, atMs: MORNING_MS },
          sampleAudit({ action: 'ledger.refund' }),
        )
      await refund('ent_refund_task', 'task_1')
      await refund('ent_refund_text', 'req_1')
      const entries = async (filter: object) => idsOf(await pages().entries({ limit: 10, ...filter }))
      expect(await entries({ kind: 'refund' })).toEqual(['ent_refund_text', 'ent_refund_task'])
      expect(await entries({ kind: 'refund', limit: 1 })).toEqual(['ent_refund_text'])
      expect(await entries({ kind: 'usage' })).toEqual(['ent_group:org_1'])
      expect(await entries({ kind: 'credit', organizationId: 'org_2' })).toHaveLength(1)
      const ofTask = ['ent_task_1_succeeded', 'ent_refund_task']
      expect(await entries({ taskId: 'task_1' })).toEqual(ofTask)
      expect(await entries({ holdId: 'hold_task_1' })).toEqual(ofTask)
      expect(await entries({ taskId: 'task_1', organizationId: 'org_2' })).toEqual([])
      for (const usageId of ['use_1', 'req_1'])
        expect(await entries({ usageId })).toEqual(['ent_refund_text', 'ent_group:org_1'])
      expect(await entries({ usageId: 'use_9' })).toEqual([])
    })

    test('the figures of a period: sums, histograms without videos, and numbers of ended tasks', async () => {
      const atMs = MORNING_MS - (MORNING_MS % HOUR_MS)
      const id = taskId(atMs)
      await beginAccepted(store(), { id, createdAtMs: atMs })
      await store().tasks.move(sampleMove('succeeded', { id, atMs: atMs + 120_000, cost: sampleCost(60) }))
      await store().usage.lease(sampleLease([500]))
      const rows = [
        sampleUsageRow({ cost: 100, firstByteMs: 90, durationMs: 900 }),
        sampleUsageRow({ id: 'use_2', cost: 7, firstByteMs: null, durationMs: 999_999, outcome: 'failed' }),
      ]
      await store().usage.write({ id: 'ent_group', allowances: { org_1: 'hold_a' }, atMs, rows })
      const period = { fromMs: atMs, toMs: atMs + HOUR_MS, unit: 'hour' } as const
      const figures = await store().usageReports.readPeriod(period)
      expect(figures).toMatchObject({
        ...{ requests: 3, errors: 1, inputTokens: 6, outputTokens: 8, videoMs: 5_000, costMicros: 167 },
        ...{ ended: { succeeded: 1, failed: 0, cancelled: 0 }, callbacksGivenUp: 0 },
      })
      const counted = (histogram: typeof figures.duration) => histogram.filter(({ count }) => count > 0)
      expect(counted(figures.firstByte)).toEqual([{ upToMs: 100, count: 1 }])
      expect(counted(figures.duration)).toEqual([
        { upToMs: 1_000, count: 1 },
        { upToMs: null, count: 1 },
      ])
      const before = { fromMs: atMs - HOUR_MS, toMs: atMs, unit: 'hour' } as const
      expect(await store().usageReports.readPeriod(before)).toMatchObject({
        ...{ requests: 0, costMicros: 0, ended: { succeeded: 0, failed: 0, cancelled: 0 } },
      })
      const day = atMs - (atMs % (24 * HOUR_MS))
      const ofDay = await store().usageReports.readPeriod({ fromMs: day, toMs: day + 1, unit: 'day' })
      expect(ofDay).toMatchObject({ requests: 3, costMicros: 167 })
      await opened().runSql("update video_callbacks set state = 'given-up'")
      expect(await store().usageReports.readPeriod(period)).toMatchObject({ callbacksGivenUp: 1 })
    })

    test('a video of 60 micros and of unknown length counts as a request without seconds and duration', async () => {
      const atMs = MORNING_MS - (MORNING_MS % DAY_MS)
      const id = taskId(atMs)
      await beginAccepted(store(), { id, createdAtMs: atMs })
      await store().tasks.move(sampleMove('succeeded', { id, atMs: atMs + 120_000, videoMs: 0 }))
      const rows = [sampleUsageRow({ cost: 100, firstByteMs: 90, durationMs: 900 })]
      await store().usage.write(usageGroup({ rows, atMs }))
      const read = (unit: 'hour' | 'day') =>
        store().usageReports.readPeriod({ fromMs: atMs, toMs: atMs + DAY_MS, unit })
      const expected = { requests: 2, videoMs: 0, costMicros: 160 }
      const open = [await read('hour'), await read('day')]
      expect(await store().usageReports.closeDay({ beforeMs: atMs + DAY_MS })).toBe(1)
      for (const figures of [...open, await read('day')]) {
        expect(figures).toMatchObject(expected)
        expect(figures.duration.filter(({ count }) => count > 0)).toEqual([{ upToMs: 1_000, count: 1 }])
      }
    })

    test('attempts by the state of their callback, by task', async () => {
      for (const [id, outcome] of [
        ['task_1', 'given-up'],
        ['task_2', 'delivered'],
        ['task_3', 'given-up'],
      ] as const) {
        await beginAccepted(store(), { id })
        await store().tasks.move(sampleMove('succeeded', { id, atMs: MORNING_MS }))
        const nowMs = MORNING_MS + 1_000
        const { due } = await store().callbacks.claimDue({ nowMs, leaseUntilMs: nowMs + 1, limit: 9 })
        const [{ id: callbackId, fence } = { id: '', fence: 0 }] = due
        const attempt = { taskId: id, attempt: 1, atMs: nowMs, status: 500, error: null }
        await store().callbacks.recordAttempt({ callbackId, fence, attempt, outcome, nextAttemptAtMs: null })
      }
      const attempts = async (query: Partial<Parameters<ReturnType<typeof pages>['attempts']>[0]>) =>
        (await pages().attempts({ after: undefined, limit: 10, ...query })).map(({ taskId: id }) => id)
      expect(await attempts({})).toEqual(['task_3', 'task_2', 'task_1'])
      expect(await attempts({ state: 'given-up' })).toEqual(['task_3', 'task_1'])
      expect(await attempts({ state: 'given-up', limit: 1 })).toEqual(['task_3'])
      const after = { atMs: MORNING_MS + 1_000, taskId: 'task_3', attempt: 1 }
      expect(await attempts({ state: 'given-up', after })).toEqual(['task_1'])
      expect(await attempts({ after })).toEqual(['task_2', 'task_1'])
      expect(await attempts({ state: 'pending' })).toEqual([])
      expect(await attempts({ state: 'delivered', taskId: 'task_1' })).toEqual([])
      expect(await attempts({ fromMs: MORNING_MS + 1_000 })).toEqual(['task_3', 'task_2', 'task_1'])
      expect(await attempts({ toMs: MORNING_MS + 1_000 })).toEqual([])
      expect(await attempts({ state: 'given-up', fromMs: MORNING_MS + 1_001 })).toEqual([])
      const [row] = await pages().attempts({ after: undefined, limit: 1 })
      expect(row).toMatchObject({ organizationId: 'org_1', encryptedCallbackUrl: 'sealed-url' })
    })

    test('the audit log by actor, action and subject', async () => {
      for (const [id, actor, action, subject] of [
        ['aud_1', 'ana', 'credit.add', 'org_1'],
        ['aud_2', 'ben', 'credit.add', 'org_2'],
        ['aud_3', 'ana', 'key.revoke', 'key_1'],
      ] as const)
        await store().audit.add(sampleAudit({ id, actor, action, subject }))
      const audits = async (filter: object) => idsOf(await store().audit.list({ limit: 10, ...filter }))
      expect(await audits({ actor: 'ana' })).toEqual(['aud_3', 'aud_1'])
      expect(await audits({ actor: 'ana', action: 'key.revoke' })).toEqual(['aud_3'])
      expect(await audits({ subject: 'org_2' })).toEqual(['aud_2'])
      expect(await audits({ actor: 'ana', after: 'aud_3' })).toEqual(['aud_1'])
      expect(await audits({ actor: 'cli', subject: 'org_2' })).toEqual([])
    })

    test('ledger entries and audit rows of a range of time, whose ids contain it', async () => {
      const at = (prefix: string, ms: number) =>
        `${prefix}_${ms.toString(16).padStart(12, '0')}${'0'.repeat(20)}`
      for (const hour of [0, 1, 2]) {
        const atMs = MORNING_MS + hour * HOUR_MS
        await store().audit.add(sampleAudit({ id: at('aud', atMs), atMs, action: 'range.act' }))
      }
      const audits = async (range: object) =>
        idsOf(await store().audit.list({ limit: 10, action: 'range.act', ...range }))
      const hours = [2, 1, 0].map((hour) => at('aud', MORNING_MS + hour * HOUR_MS))
      expect(await audits({ fromMs: MORNING_MS })).toEqual(hours)
      expect(await audits({ fromMs: MORNING_MS + 1 })).toEqual(hours.slice(0, 2))
      expect(await audits({ toMs: MORNING_MS + HOUR_MS })).toEqual(hours.slice(2))
      expect(await audits({ fromMs: MORNING_MS + HOUR_MS, toMs: MORNING_MS + 2 * HOUR_MS })).toEqual([
        hours[1],
      ])
    })

    test('assets by status, groups by kind, verifications by state', async () => {
      await store().assets.setDefaultGroup(sampleGroup())
      await store().assets.bindPerson(
        sampleGroup({ id: 'grp_2', kind: 'person', ticket: 'person-1' }),
        undefined,
      )
      for (const id of ['ast_1', 'ast_2'])
        await store().assets.create(sampleAsset({ id, ticket: id }), undefined)
      await store().assets.move(sampleAssetMove('failed'))
      const assets = async (filter: object) => idsOf(await pages().assets({ limit: 10, ...filter }))
      expect(await assets({ status: 'failed' })).toEqual(['ast_1'])
      expect(await assets({ status: 'processing', organizationId: 'org_1' })).toEqual(['ast_2'])
      expect(await assets({ status: 'failed', organizationId: 'org_2' })).toEqual([])
      expect(idsOf(await pages().groups({ limit: 10, kind: 'person' }))).toEqual(['grp_2'])
      for (const [id, expiresAtMs] of [
        ['ver_1', MORNING_MS],
        ['ver_2', MORNING_MS + 1],
        ['ver_3', MORNING_MS + 1],
      ] as const)
        await store().verifications.create(sampleVerification({ id, stateDigest: id, expiresAtMs }))
      await store().verifications.finish({ id: 'ver_3', encryptedRedirect: 'sealed', atMs: MORNING_MS })
      for (const [is, expected] of [
        ['expired', ['ver_1']],
        ['open', ['ver_2']],
        ['ended', ['ver_3']],
      ] as const) {
        const state = { is, atMs: MORNING_MS }
        expect(idsOf(await pages().verifications({ limit: 10, state }))).toEqual(expected)
      }
    })
  })
}
