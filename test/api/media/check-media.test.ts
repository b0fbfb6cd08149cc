import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFolderStore } from '../../../src/adapters/media/folder-store.ts'
import { createStage } from '../../../src/adapters/media/stage.ts'
import { checkMedia } from '../../../src/app/media/check-media.ts'
import { lendSqlite } from '../../engines/store/lend-store.ts'
import { createFunded } from '../../engines/store/sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from '../../engines/store/sample-rows.ts'
import { accept, begin, sampleMove } from '../../engines/store/sample-task.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('media check names missing, changed and orphaned files, and not the files of a running copy', async () => {
  const { store, giveBack } = await lendSqlite()
  const stage = createStage(join(folder, 'incoming'), () => MORNING_MS)
  const media = createFolderStore(join(folder, 'kept'))
  await createFunded(store, { balance: 10_000 })
  await store.users.create(sampleUser(), sampleAudit())
  await store.apiKeys.create(sampleApiKey(), sampleAudit())
  const write = (key: string, text: string) => {
    mkdirSync(join(folder, 'kept', key, '..'), { recursive: true })
    writeFileSync(join(folder, 'kept', key), text)
  }
  const hashOf = async (text: string) => {
    const body = (async function* () {
      yield Buffer.from(text)
    })()
    return (await stage.measure(body)).sha256
  }
  for (const name of ['good', 'missing', 'changed', 'running']) {
    const id = `task_${name}`
    await begin(store, { id })
    await accept(store, sampleMove('queued', { id }))
    const clips = [{ id: `clip_${name}`, kind: 'video' as const }]
    await store.tasks.move(sampleMove('succeeded', { id, clips }))
  }
  const claim = { nowMs: MORNING_MS + 2_000, leaseUntilMs: MORNING_MS + 9_000, limit: 9 }
  await store.clips.claimDue(claim)
  const sha256 = await hashOf('film')
  for (const name of ['good', 'missing', 'changed']) {
    const facts = {
      ...{ sha256, sourceSha256: sha256, bytes: 4, mediaType: 'video/mp4', watermark: null },
      ...{ durationMs: null, width: null, height: null, marks: null },
    }
    const row = {
      id: `clip_${name}`,
      fence: 1,
      storeKey: `org_1/clip_${name}/1.mp4`,
      atMs: 1,
      keptUntilMs: 9,
    }
    expect(await store.clips.keep({ ...row, facts })).toBe(true)
  }
  write('org_1/clip_good/1.mp4', 'film')
  write('org_1/clip_changed/1.mp4', 'f1lm')
  write('org_1/clip_running/1.mp4', 'film')
  write('org_1/clip_good/7.mp4', 'left')
  write('org_1/clip_unknown/1.mp4', 'left')
  const report = await checkMedia({ clips: store.clips, media, stage })()
  expect(report.missing).toEqual([{ taskId: 'task_missing', key: 'org_1/clip_missing/1.mp4' }])
  expect(report.changed).toEqual([{ taskId: 'task_changed', key: 'org_1/clip_changed/1.mp4' }])
  expect(report.orphans.toSorted()).toEqual(['org_1/clip_good/7.mp4', 'org_1/clip_unknown/1.mp4'])
  await giveBack()
})
