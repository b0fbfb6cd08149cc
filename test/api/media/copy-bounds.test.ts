import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredClip } from '../../../src/ports/clips.ts'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'
import type { Tenant } from '../video/tenants.ts'

const GB = 1_000_000_000
const MB = 1_000_000

const folder = mkdtempSync(join(tmpdir(), 'sluice-bounds-'))
let api: TextApi

beforeAll(async () => {
  api = await startTextApi({
    sandboxSpeed: 2_000,
    environment: {
      ...{ MEDIA_STORE: 'folder', DATA_DIR: folder, MEDIA_MAX_MB: '1', MEDIA_ORG_MAX_GB: '1' },
    },
  })
})
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (tenant: Tenant, path: string, init: RequestInit = {}) =>
  fetch(`${api.url}/v1/video/generations${path}`, {
    ...init,
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
  })

async function make(tenant: Tenant): Promise<string> {
  const content = [{ type: 'text', text: 'a cat [instant]' }]
  const body = JSON.stringify({ model: 'vendorA/gen-2.0', content, duration: 4 })
  return String(Object(await (await ask(tenant, '', { method: 'POST', body })).json()).id)
}

async function linkOf(tenant: Tenant, id: string): Promise<string> {
  return String(Object(await (await ask(tenant, `/${id}`)).json()).content?.video_url)
}

async function expectCopy(tenant: Tenant, id: string, wanted: Partial<StoredClip>): Promise<void> {
  const find = async () => {
    await linkOf(tenant, id)
    return (await api.store.clips.listOfTasks([id]))[0]
  }
  await expect.poll(find).toMatchObject(wanted)
}

/** Lets the vendor's link answer with a file of this size. */
const serve = (bytes: number, status = 200) =>
  api.vendor.breakDown({
    operation: 'clip',
    fault: { kind: 'status', status, body: 'x'.repeat(bytes), headers: { 'content-type': 'video/mp4' } },
  })

test('MEDIA_MAX_MB=1: a file of 1,000,000 bytes is kept; with one more byte the vendor keeps serving the link', async () => {
  const tenant = await api.openTenant()
  await serve(MB)
  const whole = await make(tenant)
  await expectCopy(tenant, whole, { state: 'kept', facts: expect.objectContaining({ bytes: MB }) })
  await api.vendor.clearFaults()
  await serve(MB + 1)
  const large = await make(tenant)
  await expectCopy(tenant, large, { state: 'given-up', reason: 'too_large', facts: null })
  await api.vendor.clearFaults()
  expect(await linkOf(tenant, large)).toContain('/vendor-a/')
  expect((await ask(tenant, `/${large}/content`)).status).toBe(200)
})

test('MEDIA_ORG_MAX_GB=1: a copy beyond the limit is given up, and another organization keeps its own', async () => {
  const [full, other] = [await api.openTenant(), await api.openTenant()]
  await api.vendor.breakDown({ operation: 'clip', fault: { kind: 'status', status: 503 } })
  const held = await make(full)
  await expectCopy(full, held, { state: 'copying', reason: 'upstream_error' })
  await api.vendor.clearFaults()
  // The claim of another replica, which keeps a film that leaves room for 1,000 bytes.
  const farMs = Date.now() + 86_400_000
  const { due } = await api.store.clips.claimDue({ nowMs: farMs, leaseUntilMs: farMs, limit: 99 })
  const claimed = due.find(({ taskId }) => taskId === held)
  const facts = {
    ...{ sha256: 'a'.repeat(64), sourceSha256: 'a'.repeat(64), bytes: GB - 1_000, mediaType: 'video/mp4' },
    ...{ watermark: null, durationMs: null, width: null, height: null, marks: null },
  }
  const kept = {
    id: claimed?.id ?? '',
    fence: claimed?.fence ?? 0,
    storeKey: 'none',
    atMs: 1,
    keptUntilMs: farMs,
  }
  expect(await api.store.clips.keep({ ...kept, facts })).toBe(true)
  const late = await make(full)
  await expectCopy(full, late, { state: 'given-up', reason: 'organization_full' })
  const theirs = await make(other)
  await expectCopy(other, theirs, { state: 'kept' })
})

test('a partial answer of a link is retried, and not kept as the whole file', async () => {
  const tenant = await api.openTenant()
  await serve(10, 206)
  const id = await make(tenant)
  await expectCopy(tenant, id, { state: 'copying', reason: 'upstream_error' })
  await api.vendor.clearFaults()
  await expectCopy(tenant, id, { state: 'kept', facts: expect.objectContaining({ mediaType: 'video/mp4' }) })
})

test('an erased copy answers 410, although the vendor still has the file', async () => {
  const tenant = await api.openTenant()
  const id = await make(tenant)
  await expectCopy(tenant, id, { state: 'kept' })
  const act = { action: 'media.erase', organizationId: null, subject: id, detail: {} }
  await api.store.clips.eraseOfTask(id, { ...act, id: 'aud_1', atMs: 1, actor: 'cli' })
  const gone = await ask(tenant, `/${id}/content`)
  expect([gone.status, Object(await gone.json()).error.code]).toEqual([410, 'content_gone'])
})
