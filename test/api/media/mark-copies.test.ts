import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@sluice/client'
import { readProvenance } from '@sluice/client/provenance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeServices } from '../../system/cli/fake-services.ts'
import { run } from '../../system/cli/run.ts'
import { judgeManifest } from '../provenance/judge-manifest.ts'
import { makeSigner, type TestSigner } from '../provenance/make-signer.ts'
import { runExiftool } from '../provenance/run-exiftool.ts'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-marked-'))
const P256 = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']
let api: TextApi

const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

function start({ certificates, key }: TestSigner): Promise<TextApi> {
  return startTextApi({
    sandboxSpeed: 2_000,
    environment: {
      ...{ MEDIA_STORE: 'folder', DATA_DIR: folder, VERIFY_PAGE: 'on' },
      ...{ MARK_CLIPS: 'aigc,c2pa', AIGC_PRODUCER: 'Example Films' },
      C2PA_CERT_FILE: write('signer.pem', certificates),
      C2PA_KEY_FILE: write('signer.key', key),
    },
  })
}

beforeAll(async () => {
  api = await start(makeSigner(P256))
})
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${api.url}/v1/video/generations${path}`, {
    ...init,
    headers: { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' },
  })

/** Makes a video with this prompt, and reads its copy and the gateway's headers. */
async function make(words: string) {
  const content = [{ type: 'text', text: `a cat [instant] ${words}` }]
  const made = await ask('', {
    method: 'POST',
    body: JSON.stringify({ model: 'vendorA/gen-2.0', content, duration: 4 }),
  })
  const { id } = Object(await made.json())
  const linkOf = async () => String(Object(await (await ask(`/${id}`)).json()).content?.video_url)
  await expect.poll(linkOf).toMatch(/\/v1\/media\//)
  const bytes = Buffer.from(await (await fetch(await linkOf())).arrayBuffer())
  const shown = Object(await (await ask(`/${id}/provenance`)).json())
  const entry = JSON.parse(Buffer.from(shown.entry.payload, 'base64url').toString())
  return { id, bytes, shown, entry, sha256: createHash('sha256').update(bytes).digest('hex') }
}

test('a copy has AIGC metadata and a manifest of the operator; exiftool, c2pa-rs, the command, the client and the entry agree', async () => {
  const { id, bytes, shown, entry, sha256 } = await make('')
  const { AIGC: aigc, Warning } = runExiftool(bytes)
  const members = { Label: '1', ContentProducer: 'Example Films', ProduceID: id }
  const others = { ReservedCode1: '', ContentPropagator: '', PropagateID: '', ReservedCode2: '' }
  expect(typeof aigc === 'string' ? JSON.parse(aigc) : aigc).toEqual({ ...members, ...others })
  expect(Warning).toBeUndefined()
  const judged = await judgeManifest(bytes)
  expect(judged.validation_state).toBe('Valid')
  const manifest = judged.manifests[judged.active_manifest]
  expect(manifest?.signature_info.issuer).toBe('Operator')
  expect(JSON.stringify(manifest)).toMatch(/"c2pa\.created".*digitalsourcetype\/trainedAlgorithmicMedia"/)
  const marks = { c2pa: { state: 'valid', issuer: 'Operator' }, aigc: members }
  expect(shown).toMatchObject({ sha256, bytes: bytes.length, marks })
  expect(entry).toMatchObject({ sha256, marks, task_id: id })
  expect(entry.source_sha256).not.toBe(sha256)
  for (const hash of [sha256, entry.source_sha256]) {
    const answer = await fetch(`${api.url}/v1/provenance/${hash}`)
    expect(await answer.json()).toMatchObject({ made: true, model: 'vendorA/gen-2.0', marks })
  }
  const keys = await (await fetch(`${api.url}/.well-known/sluice-receipts.json`)).text()
  const { exitCode, result } = await run(
    [
      ...[
        'provenance',
        write('clip.mp4', bytes),
        '--receipt',
        write('entry.json', JSON.stringify(shown.entry)),
      ],
      ...['--keys', write('keys.json', keys), '--json'],
    ],
    fakeServices().services,
  )
  expect(exitCode).toBe(0)
  expect(JSON.parse(result)).toMatchObject({ ok: true, sha256, marks, receipt: { matches: true } })
  const client = createClient({ baseUrl: api.url, apiKey: api.tenant.key })
  const proof = { receipt: (await client.videos.provenance(id)).entry, keys: JSON.parse(keys) }
  expect(await readProvenance(bytes, proof)).toMatchObject({ sha256, marks, receipt: { matches: true } })
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(await readProvenance(bytes, proof)).toMatchObject({
    marks: { c2pa: { state: 'invalid' } },
    receipt: { matches: false, fault: 'it is about another file, or the file was changed' },
  })
})

test("the vendor's manifest becomes an ingredient, and its metadata stays", async () => {
  const { id, bytes, entry } = await make('[marked]')
  const judged = await judgeManifest(bytes)
  expect(judged.validation_state).toBe('Valid')
  const active = judged.manifests[judged.active_manifest]
  expect(active?.signature_info.issuer).toBe('Operator')
  expect(active?.ingredients).toHaveLength(1)
  expect(
    Object.values(judged.manifests)
      .map((one) => one.signature_info.issuer)
      .toSorted(),
  ).toEqual(['Operator', 'Sluice sandbox'])
  expect(entry.marks.aigc).toMatchObject({ ContentProducer: 'Sluice sandbox' })
  expect(entry.marks.aigc.ProduceID).not.toBe(id)
  expect(entry.marks.c2pa).toEqual({ state: 'valid', issuer: 'Operator' })
})

test('a copy with broken vendor marks gets a manifest too', async () => {
  const { bytes, entry } = await make('[broken-marks]')
  expect(entry.marks).toEqual({ c2pa: { state: 'valid', issuer: 'Operator' }, aigc: {} })
  expect(Object.keys((await judgeManifest(bytes)).manifests)).toHaveLength(2)
})

test('a certificate that has expired ends the start', async () => {
  await expect(start(makeSigner(P256, { days: 0 }))).rejects.toThrow(
    /C2PA_CERT_FILE: it is valid from .* to /,
  )
})
