import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startVideoApi } from '../video/start-video-api.ts'
import { assetClientOf, visit } from './call-assets.ts'

/** A reader of the rows or the log alone can neither open media, nor act as a person, nor find the client. */
test('links, tokens, states and addresses are not readable in the store or in the log', async () => {
  const api = await startVideoApi()
  onTestFinished(() => api.close())
  const client = assetClientOf(api, api.tenant)
  const { body } = await client.startSession({ callback_url: 'https://canary.example/here' })
  const { location: back } = await visit(`${body.h5_link}&ending=success&person=1`)
  const { searchParams, pathname } = new URL(String(back))
  await visit(String(back))
  const id = await client.makeActive()
  const { body: asset } = await client.getAsset(id)
  const secrets = [
    String(body.h5_link),
    new URL(String(body.h5_link)).pathname.split('/').at(-1),
    searchParams.get('VerifyToken'),
    pathname.split('/').at(-1),
    'canary.example',
    String(asset.url),
    String(asset.url).split('/').at(-1),
  ].filter((text) => text !== null && text !== undefined && text.length > 10)
  expect(secrets.length).toBeGreaterThanOrEqual(6)
  const rows = readdirSync(api.dataDir)
    .map((file) => readFileSync(`${api.dataDir}/${file}`).toString('latin1'))
    .join('\n')
  expect(rows).toContain(id)
  for (const secret of secrets) {
    expect(rows).not.toContain(secret)
    expect(JSON.stringify(api.lines)).not.toContain(secret)
  }
})
