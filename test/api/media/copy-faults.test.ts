import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createFolderStore } from '../../../src/adapters/media/folder-store.ts'
import { createStage } from '../../../src/adapters/media/stage.ts'
import { checkMedia } from '../../../src/app/media/check-media.ts'
import type { StoredClip } from '../../../src/ports/clips.ts'
import type { MediaStore } from '../../../src/ports/media-store.ts'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'
import { hashOf, S3_ACCOUNT, S3_FAULTS, type S3Fault, startS3 } from './s3-stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-copy-faults-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(environment: Record<string, string>): Promise<TextApi> {
  const api = await startTextApi({ sandboxSpeed: 2_000, environment })
  onTestFinished(() => api.close())
  return api
}

const ask = (api: TextApi, path: string, init: RequestInit = {}) =>
  fetch(`${api.url}/v1/video/generations${path}`, {
    ...init,
    headers: { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' },
  })

async function make(api: TextApi): Promise<string> {
  const content = [{ type: 'text', text: 'a cat [instant]' }]
  const made = await ask(api, '', {
    method: 'POST',
    body: JSON.stringify({ model: 'vendorA/gen-2.0', content, duration: 4 }),
  })
  return String(Object(await made.json()).id)
}

/** Waits until the copy of a task has these values, and returns it. */
async function copyWith(api: TextApi, id: string, wanted: Partial<StoredClip>): Promise<StoredClip> {
  const find = async () => {
    // A Get asks the vendor, so that the task need not wait for the next sweep.
    await ask(api, `/${id}`)
    return (await api.store.clips.listOfTasks([id]))[0]
  }
  await expect.poll(find).toMatchObject(wanted)
  return (await find()) as StoredClip
}

async function expectWhole(api: TextApi, id: string, media: MediaStore): Promise<void> {
  const { facts } = await copyWith(api, id, { state: 'kept' })
  const bytes = Buffer.from(await (await ask(api, `/${id}/content`)).arrayBuffer())
  expect(hashOf(bytes)).toBe(facts?.sha256)
  const check = checkMedia({ clips: api.store.clips, media, stage: createStage(folder, Date.now) })
  expect(await check()).toEqual({ missing: [], changed: [], orphans: [] })
}

test('a copy fails when an S3 service fails, continues later, and leaves nothing behind', async () => {
  const s3 = await startS3()
  onTestFinished(() => void s3.close())
  const api = await start({
    ...{ DATA_DIR: mkdtempSync(join(folder, 'data-')), MEDIA_STORE: 's3' },
    ...{ S3_ENDPOINT: s3.endpoint, S3_REGION: S3_ACCOUNT.region },
    ...{ S3_BUCKET: S3_ACCOUNT.bucket, S3_PREFIX: S3_ACCOUNT.prefix },
    ...{ S3_ACCESS_KEY_ID: S3_ACCOUNT.accessKey, S3_SECRET_ACCESS_KEY: S3_ACCOUNT.secretKey },
  })
  const faults = Object.keys(S3_FAULTS) as S3Fault[]
  for (const fault of faults) {
    s3.state.fault = fault
    const id = await make(api)
    await expectWhole(api, id, s3.store)
    expect({ fault, left: s3.state.fault }).toEqual({ fault, left: undefined })
  }
  expect(s3.objects.size).toBe(faults.length)
})

test.each(['', '.marked'])(
  'a copy waits while the disk is full (file%s), and continues later',
  async (suffix) => {
    const data = mkdtempSync(join(folder, 'data-'))
    const incoming = join(data, 'media', 'incoming')
    const api = await start({ DATA_DIR: data, MEDIA_STORE: 'folder', MARK_CLIPS: 'aigc' })
    await api.vendor.breakDown({ operation: 'clip', fault: { kind: 'status', status: 503 } })
    const id = await make(api)
    const { id: clip } = await copyWith(api, id, { state: 'copying' })
    mkdirSync(incoming, { recursive: true })
    // The next attempts write to a device that is always full.
    const files = [2, 3, 4].map((fence) => join(incoming, `${clip}.${fence}${suffix}`))
    for (const file of files) symlinkSync('/dev/full', file)
    await copyWith(api, id, { reason: 'upstream_error' })
    await api.vendor.clearFaults()
    await copyWith(api, id, { state: 'copying', reason: 'ENOSPC' })
    for (const file of files) rmSync(file, { force: true })
    await expectWhole(api, id, createFolderStore(join(data, 'media', 'kept')))
  },
)
