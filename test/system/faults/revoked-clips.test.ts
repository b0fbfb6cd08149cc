import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assetClientOf, visit } from '../../api/assets/call-assets.ts'
import { clientOf } from '../../api/video/call-api.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { scaledEnvironment } from '../lifecycle/scaled-environment.ts'
import { startGateway } from './harness/gateway-process.ts'

const PATIENCE = { timeout: 60_000, interval: 250 }

/** Two replicas with one folder of copies, and a kept video and portrait of a verified person. */
async function openWalk() {
  const folder = dataFolder()
  const env = {
    ...(await scaledEnvironment()),
    ...{ DATA_DIR: folder, MEDIA_STORE: 'folder', VERIFY_PAGE: 'on', SANDBOX_SPEED: '600' },
  }
  const start = async () => {
    const replica = await startGateway({ env })
    onTestFinished(async () => void (await replica.stop()))
    return replica
  }
  const first = await start()
  const { baseUrl } = first
  const { id: org } = await runSluice<{ id: string }>(['org', 'create', '--name', 'Acme', '--postpaid'], env)
  const user = await runSluice<{ id: string }>(['user', 'create', '--org', org], env)
  const { key } = await runSluice<{ key: string }>(['key', 'create', '--org', org, '--user', user.id], env)
  const assets = assetClientOf({ url: baseUrl } as never, { key })
  const { location } = await visit(await assets.scan())
  const reported = new URL(String(location)).searchParams
  const groupId = String(reported.get('group_id'))
  const asset = await assets.make({ url: 'https://media.example/face-instant.png', group_id: groupId })
  await expect
    .poll(async () => (await assets.getAsset(asset)).body, PATIENCE)
    .toMatchObject({ status: 'active' })
  const portrait = { type: 'image_url', image_url: { url: `asset://${asset}` }, role: 'reference_image' }
  const client = clientOf({ url: baseUrl }, { key })
  const content = [{ type: 'text', text: 'a walk [instant]' }, portrait]
  const id = await client.make({ model: 'vendorA/gen-2.0', content })
  const link = async () => String(Object((await client.get(id)).body.content).video_url)
  await expect.poll(link, PATIENCE).toMatch(/\/v1\/media\//)
  const portraitLink = async () => String((await assets.getAsset(asset)).body.url)
  await expect.poll(portraitLink, PATIENCE).toMatch(/\/v1\/media\//)
  // Each replica has a sandbox of its own, so the second replica starts after the copies are made.
  const replicas = [first, await start()]
  const ask = (path: string) =>
    Promise.all(
      replicas.map(async (replica) => {
        const answer = await fetch(`${replica.baseUrl}${path}`, {
          headers: { authorization: `Bearer ${key}` },
        })
        return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
      }),
    )
  const portraitPath = new URL(await portraitLink()).pathname
  const shown = { id, token: new URL(await link()).pathname, groupId, asset, portraitPath }
  return { env, folder, ask, ...shown, ...consentOf(reported) }
}

function consentOf(reported: URLSearchParams) {
  const url = String(reported.get('consent_url'))
  return {
    async revoke() {
      const action = /action="([^"]+)"/.exec((await visit(url)).text)?.[1]
      expect(await fetch(`${url}${action}`, { method: 'POST' })).toMatchObject({ status: 200 })
    },
  }
}

test('a person revokes the consent: links, content, task and look-up report it immediately on both replicas, the files are deleted, and the entry names them', {
  timeout: 240_000,
}, async () => {
  const { env, folder, id, ask, token, groupId, asset, portraitPath, revoke } = await openWalk()
  const statuses = async (path: string) => (await ask(path)).map(({ status }) => status)
  const bodies = async (path: string) => (await ask(path)).map(({ bytes }) => JSON.parse(bytes.toString()))
  const task = `/v1/video/generations/${id}`
  const hashAt = async (path: string) =>
    createHash('sha256')
      .update((await ask(path))[0]?.bytes ?? '')
      .digest('hex')
  const [sha256, portraitHash] = [await hashAt(token), await hashAt(portraitPath)]
  const lookUp = `/v1/provenance/${sha256}`
  for (const path of [token, portraitPath]) expect(await statuses(path)).toEqual([200, 200])
  expect(await statuses(`${task}/content`)).toEqual([200, 200])
  for (const shown of await bodies(lookUp)) expect(shown).toMatchObject({ made: true, consent: 'given' })

  await revoke()
  for (const path of [token, portraitPath]) expect(await statuses(path)).toEqual([410, 410])
  expect(await statuses(`${task}/content`)).toEqual([410, 410])
  for (const shown of await bodies(task))
    expect(shown).toMatchObject({ status: 'succeeded', content: { withheld: 'consent_revoked' } })
  for (const shown of await bodies(lookUp)) expect(shown).toMatchObject({ made: true, consent: 'withdrawn' })
  const check = () => runSluice(['media', 'check'], env)
  const list = () => runSluice<{ state: string }[]>(['media', 'list'], env)
  expect((await list()).map(({ state }) => state)).toEqual(['erased', 'erased'])
  const files = () => readdirSync(join(folder, 'media', 'kept'), { recursive: true }).map(String)
  await expect.poll(() => files().filter((path) => path.includes('.')), PATIENCE).toEqual([])
  expect(await check()).toEqual({ ok: true, missing: [], changed: [], orphans: [] })
  const receipt = `/v1/usage/${groupId}/receipt`
  await expect.poll(() => statuses(receipt), PATIENCE).toEqual([200, 200])
  const [entry] = await bodies(receipt)
  expect(JSON.parse(Buffer.from(entry.payload, 'base64url').toString())).toMatchObject({
    kind: 'person_revoked',
    files: [
      { task_id: id, sha256 },
      { asset_id: asset, sha256: portraitHash },
    ],
  })
})
