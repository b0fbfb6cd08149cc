import { beforeEach, describe, expect, test } from 'vitest'
import type { FileFacts } from '../../../src/domain/video/clip.ts'
import type { GetOpened } from './opened-store.ts'
import { sampleAsset, sampleGroup } from './sample-asset.ts'
import { createFunded } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'
import { accept, begin, sampleMove } from './sample-task.ts'

const NOW_MS = MORNING_MS + 1_000
const LEASE_MS = 900_000
const FACTS: FileFacts = {
  ...{ sha256: 'a'.repeat(64), sourceSha256: 'b'.repeat(64), bytes: 1_000, mediaType: 'video/mp4' },
  ...{ durationMs: null, width: null, height: null, watermark: true, marks: null },
}

export function describeClips(opened: GetOpened): void {
  const store = () => opened().store
  const clips = () => store().clips
  const claim = async (nowMs = NOW_MS) =>
    (await clips().claimDue({ nowMs, leaseUntilMs: nowMs + LEASE_MS, limit: 9 })).due
  const clipOf = async (taskId: string) => (await clips().listOfTasks([taskId]))[0]
  const keep = (id: string, part: Partial<Parameters<ReturnType<typeof clips>['keep']>[0]> = {}) =>
    clips().keep({
      ...{
        id,
        fence: 1,
        storeKey: `org_1/${id}/1.mp4`,
        atMs: NOW_MS,
        keptUntilMs: NOW_MS + 1_000,
        facts: FACTS,
      },
      ...part,
    })

  async function end(id: string, groupIds: string[] = []): Promise<void> {
    await begin(store(), { id }, { groupIds })
    await accept(store(), sampleMove('queued', { id }))
    const own = [{ id: `clip_${id}`, kind: 'video' as const }]
    await store().tasks.move(sampleMove('succeeded', { id, atMs: NOW_MS, clips: own }))
  }

  describe('clips', () => {
    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await store().users.create(sampleUser(), sampleAudit())
      await store().apiKeys.create(sampleApiKey(), sampleAudit())
    })

    test('are ordered with the settlement, and due immediately', async () => {
      await end('task_1')
      expect(await claim(NOW_MS - 1)).toEqual([])
      expect(await claim()).toStrictEqual([
        {
          ...{ id: 'clip_task_1', taskId: 'task_1', organizationId: 'org_1', kind: 'video' },
          ...{ model: 'vendorA/gen-2.0', attempt: 1, attemptsLeft: 29, fence: 1 },
        },
      ])
      expect(await claim()).toEqual([])
      expect(await claim(NOW_MS + LEASE_MS)).toMatchObject([{ attempt: 2, fence: 2 }])
    })

    test('are not ordered for an organization without copies, and not for a withheld task', async () => {
      await store().assets.bindPerson(sampleGroup({ kind: 'person' }), undefined)
      await begin(store(), { id: 'task_1' }, { groupIds: ['grp_1'] })
      await accept(store(), sampleMove('queued', { id: 'task_1' }))
      await store().erasures.eraseGroup({ groupId: 'grp_1', organizationId: 'org_1' }, sampleAudit(), [])
      await store().tasks.move(
        sampleMove('succeeded', { id: 'task_1', clips: [{ id: 'clip_1', kind: 'video' }] }),
      )
      await store().organizations.update({ id: 'org_1', keepMedia: 'off' }, sampleAudit())
      await end('task_2')
      expect(await clips().listOfTasks(['task_1', 'task_2'])).toEqual([])
    })

    test('are not ordered for a task that ends after the erasure of its organization', async () => {
      await begin(store(), { id: 'task_1' })
      await accept(store(), sampleMove('queued', { id: 'task_1' }))
      await store().erasures.eraseOrganization({ id: 'org_1', atMs: NOW_MS, audit: sampleAudit() })
      const own = [{ id: 'clip_1', kind: 'video' as const }]
      const ended = await store().tasks.move(sampleMove('succeeded', { id: 'task_1', clips: own }))
      expect(ended).toMatchObject({ kind: 'moved', ended: true })
      expect(await clips().listOfTasks(['task_1'])).toEqual([])
    })

    test('are kept once, by the current claim, and then owe an entry and count in the share', async () => {
      await end('task_1')
      await claim()
      expect(await keep('clip_task_1', { fence: 0 })).toBe(false)
      expect(await keep('clip_task_1')).toBe(true)
      expect(await keep('clip_task_1')).toBe(false)
      expect(await clipOf('task_1')).toMatchObject({ state: 'kept', facts: FACTS, consent: 'none' })
      expect(await clips().listOwingReceipts({ limit: 9 })).toHaveLength(1)
      expect(await clips().sumKept('org_1')).toBe(1_000)
      expect(await clips().sumKept('org_2')).toBe(0)
      for (const hash of [FACTS.sha256, FACTS.sourceSha256])
        expect(await clips().findByHash(hash)).toMatchObject({ id: 'clip_task_1' })
      expect(await clips().findByHash('c'.repeat(64))).toBeUndefined()
    })

    test('are postponed, given back without an attempt, and given up with their reason', async () => {
      await end('task_1')
      await claim()
      const due = { id: 'clip_task_1', fence: 1 }
      await clips().postpone({ ...due, nextAttemptAtMs: NOW_MS + 3_000, reason: 'ENOSPC' })
      expect(await claim(NOW_MS + 2_999)).toEqual([])
      expect(await claim(NOW_MS + 3_000)).toMatchObject([{ attempt: 2, fence: 2 }])
      await clips().giveBack({ callbackId: 'clip_task_1', fence: 2, nextAttemptAtMs: NOW_MS })
      expect(await claim()).toMatchObject([{ attempt: 2, fence: 4 }])
      await clips().giveUp({ id: 'clip_task_1', fence: 4, reason: 'too_large', atMs: NOW_MS })
      expect(await clipOf('task_1')).toMatchObject({ state: 'given-up', reason: 'too_large', facts: null })
      expect(await clips().listWithFiles({ nowMs: NOW_MS, limit: 9 })).toHaveLength(1)
      await clips().forgetFiles('clip_task_1')
      expect(await clips().listWithFiles({ nowMs: NOW_MS, limit: 9 })).toEqual([])
    })

    test('are erased by age, and their files wait to be removed', async () => {
      await end('task_1')
      await claim()
      await keep('clip_task_1')
      expect(await clips().eraseExpired({ nowMs: NOW_MS + 999, limit: 9 })).toBe(0)
      expect(await clips().eraseExpired({ nowMs: NOW_MS + 1_000, limit: 9 })).toBe(1)
      expect(await clipOf('task_1')).toMatchObject({ state: 'erased', reason: 'age', facts: FACTS })
      expect(await clips().listWithFiles({ nowMs: NOW_MS, limit: 9 })).toEqual([
        { id: 'clip_task_1', organizationId: 'org_1' },
      ])
    })

    test('are deleted with a task after its retention; hash and size stay', async () => {
      await end('task_1')
      await claim()
      await keep('clip_task_1')
      await opened().runSql('delete from video_callbacks')
      await opened().runSql("update ledger_entries set api_key_id = 'key_1'")
      expect(await store().retention.dropTasks({ beforeMs: NOW_MS + 1, limit: 9 })).toBe(1)
      expect(await clipOf('task_1')).toMatchObject({ state: 'erased', reason: 'age', facts: FACTS })
      expect(await clips().listWithFiles({ nowMs: NOW_MS, limit: 9 })).toHaveLength(1)
    })

    test('are deleted with their task, by an operator and with the organization; the last two list the files', async () => {
      for (const id of ['task_1', 'task_2', 'task_3']) await end(id)
      await claim()
      for (const id of ['clip_task_1', 'clip_task_2', 'clip_task_3']) await keep(id)
      expect(await store().tasks.remove({ id: 'task_1', keyId: 'key_1', atMs: NOW_MS })).toBe(true)
      const file = (taskId: string) => ({ taskId, sha256: FACTS.sha256 })
      expect(await clips().eraseOfTask('task_2', sampleAudit())).toEqual([file('task_2')])
      expect(await clips().eraseOfTask('task_9', sampleAudit())).toBeUndefined()
      const erasure = { id: 'org_1', atMs: NOW_MS, audit: sampleAudit({ id: 'aud_e' }) }
      expect(await store().erasures.eraseOrganization(erasure)).toEqual([file('task_3')])
      const reasons = (await clips().page({ limit: 9 })).map(({ taskId, reason }) => [taskId, reason])
      expect(reasons).toEqual([
        ['task_3', 'organization'],
        ['task_2', 'operator'],
        ['task_1', 'task'],
      ])
    })

    test('are ordered for an asset that becomes active, prove no origin, and are deleted with its group', async () => {
      await store().assets.bindPerson(sampleGroup({ kind: 'person' }), undefined)
      const change = {
        organizationId: 'org_1',
        status: 'active',
        encryptedUrl: 'sealed',
        error: null,
      } as const
      const activate = async (id: string) => {
        await store().assets.create(sampleAsset({ id, ticket: `ticket-${id}` }), undefined)
        for (const clipId of [`clip_${id}`, `clip_${id}_again`])
          await store().assets.move({ ...change, id, clipId, atMs: NOW_MS })
      }
      await activate('ast_1')
      await activate('ast_2')
      expect((await claim()).toSorted((a, b) => a.id.localeCompare(b.id))).toMatchObject([
        { id: 'clip_ast_1', taskId: 'ast_1', kind: 'asset' },
        { id: 'clip_ast_2', taskId: 'ast_2', kind: 'asset' },
      ])
      await keep('clip_ast_1')
      expect(await clips().listOwingReceipts({ limit: 9 })).toEqual([])
      expect(await clips().findByHash(FACTS.sha256)).toBeUndefined()
      await store().organizations.update({ id: 'org_1', keepMedia: 'off' }, sampleAudit({ id: 'aud_o' }))
      await activate('ast_3')
      expect(await clipOf('ast_3')).toBeUndefined()
      const erased = await store().erasures.eraseGroup(
        { groupId: 'grp_1', organizationId: 'org_1' },
        sampleAudit({ id: 'aud_g' }),
        [],
      )
      expect(erased).toMatchObject({ files: [{ assetId: 'ast_1', sha256: FACTS.sha256 }] })
      expect(await keep('clip_ast_2')).toBe(false)
      for (const id of ['ast_1', 'ast_2']) expect(await clipOf(id)).toMatchObject({ state: 'erased' })
    })

    test('are deleted and listed when a person in them revokes the consent; a running copy is not kept', async () => {
      await store().assets.bindPerson(sampleGroup({ kind: 'person' }), undefined)
      await end('task_1', ['grp_1'])
      await end('task_2', ['grp_1'])
      await end('task_3')
      await claim()
      await keep('clip_task_1')
      await keep('clip_task_3')
      expect(await clipOf('task_1')).toMatchObject({ consent: 'given' })
      const revocation = { groupId: 'grp_1', audit: sampleAudit({ id: 'aud_r' }), deletableProviders: [] }
      const files = [{ taskId: 'task_1', sha256: FACTS.sha256 }]
      expect(await store().erasures.revokeConsent(revocation)).toMatchObject({ files })
      expect(await keep('clip_task_2')).toBe(false)
      for (const id of ['task_1', 'task_2'])
        expect(await clipOf(id)).toMatchObject({ state: 'erased', consent: 'withdrawn' })
      expect(await clipOf('task_3')).toMatchObject({ state: 'kept', consent: 'none' })
      expect(await store().receipts.listRevocations({ limit: 9 })).toMatchObject([{ files }])
      // A search by hash shows the withdrawal, even where another task made an equal file.
      expect(await clips().findByHash(FACTS.sha256)).toMatchObject({ consent: 'withdrawn' })
    })
  })
}
