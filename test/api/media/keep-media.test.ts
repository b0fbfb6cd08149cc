import { expect, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { keepMedia } from '../../../src/app/media/keep-media.ts'
import { ownLinks } from '../../../src/app/media/own-links.ts'
import { findContent } from '../../../src/app/video/find-content.ts'
import { lendSqlite } from '../../engines/store/lend-store.ts'
import { createFunded } from '../../engines/store/sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from '../../engines/store/sample-rows.ts'
import { accept, begin, sampleMove } from '../../engines/store/sample-task.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'

const DAY_MS = 86_400_000

/** A store with kept copies of these tasks, which last for 30 days. */
async function openKept(names: readonly string[]) {
  const { store, giveBack } = await lendSqlite()
  await createFunded(store, { balance: 10_000 })
  await store.users.create(sampleUser(), sampleAudit())
  await store.apiKeys.create(sampleApiKey(), sampleAudit())
  for (const name of names) {
    const id = `task_${name}`
    await begin(store, { id })
    await accept(store, sampleMove('queued', { id }))
    const clips = [{ id: `clip_${name.repeat(32)}`, kind: 'video' as const }]
    await store.tasks.move(sampleMove('succeeded', { id, clips }))
  }
  await store.clips.claimDue({ nowMs: MORNING_MS + 2_000, leaseUntilMs: MORNING_MS + 9_000, limit: 9 })
  for (const name of names) {
    const facts = {
      ...{ sha256: 'a', sourceSha256: 'a', bytes: 4, mediaType: 'video/mp4', watermark: null },
      ...{ durationMs: null, width: null, height: null, marks: null },
    }
    const id = `clip_${name.repeat(32)}`
    const row = { id, fence: 1, storeKey: `org_1/${id}/1.mp4`, atMs: MORNING_MS }
    expect(await store.clips.keep({ ...row, keptUntilMs: MORNING_MS + 30 * DAY_MS, facts })).toBe(true)
  }
  return { store, giveBack }
}

test('a Get returns a new link for one day, also on the last day of a month; later it returns none', async () => {
  const { store, giveBack } = await openKept(['a'])
  let nowMs = MORNING_MS
  const clock = { nowMs: () => nowMs, monotonicMs: () => 0 }
  const secrets = createSecrets('a secret of the tests, long enough to be one')
  const links = ownLinks({ ...store, secrets, clock, publicBaseUrl: () => 'https://a.example' })
  const { ofLink } = findContent({ ...store, clock, secrets, media: {} } as never)
  const tokenNow = async () =>
    (await links(['task_a'])).get('task_a')?.video_url?.slice('https://a.example/v1/media/'.length) ?? ''
  const first = await tokenNow()
  expect((await ofLink(first)).kept).toMatchObject({ bytes: 4 })
  nowMs += DAY_MS
  await expect(ofLink(first)).rejects.toMatchObject({ code: 'content_gone' })
  nowMs = MORNING_MS + 30 * DAY_MS - 2_000
  const last = await tokenNow()
  expect((await ofLink(last)).kept).toMatchObject({ bytes: 4 })
  nowMs += 2_000
  await expect(ofLink(last)).rejects.toMatchObject({ code: 'content_gone' })
  expect(await links(['task_a'])).toEqual(new Map())
  await giveBack()
})

test('a failed removal of a file is retried, and does not stop others', async () => {
  const { store, giveBack } = await openKept(['b', 'c'])
  const clock = { nowMs: () => MORNING_MS + 31 * DAY_MS, monotonicMs: () => 0 }
  const removed: string[] = []
  const media = {
    async remove(folder: string) {
      if (folder.includes('_bb')) throw new Error('the disk is read-only')
      removed.push(folder)
    },
  }
  const keep = keepMedia({ ...store, media, stage: { tidy: async () => {} }, clock, log: SILENT_LOG })
  await keep()
  expect(removed).toEqual([`org_1/clip_${'c'.repeat(32)}/`])
  const left = await store.clips.listWithFiles({ nowMs: clock.nowMs(), limit: 9 })
  expect(left).toEqual([{ id: `clip_${'b'.repeat(32)}`, organizationId: 'org_1' }])
  await giveBack()
})
