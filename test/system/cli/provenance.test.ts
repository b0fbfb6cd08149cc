import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeSigningKey, signJws } from '../../../src/adapters/system/signatures.ts'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-provenance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CLIP = join(folder, 'clip.mp4')
copyFileSync(new URL('../../../sandbox/media/1280x720.mp4', import.meta.url), CLIP)
const SHA256 = createHash('sha256').update(readFileSync(CLIP)).digest('hex')
const KEY = makeSigningKey()
const KEYS = write(
  'keys.json',
  JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: KEY.publicKey, kid: KEY.id }] }),
)

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

function receiptOf(name: string, members: object): string {
  const said = {
    organization_id: 'org_1',
    number: 1,
    previous: null,
    kind: 'video.clip',
    task_id: 'task_1',
    ...members,
  }
  return write(name, JSON.stringify(signJws(JSON.stringify(said), KEY)))
}

const provenance = (...words: string[]) => run(['provenance', ...words], fakeServices().services)

describe('sluice provenance', () => {
  test('describes an unmarked file, without a store', async () => {
    const { exitCode, result, notice } = await provenance(CLIP)
    expect({ exitCode, notice }).toEqual({ exitCode: 0, notice: '' })
    expect(result.trimEnd().split('\n')).toEqual([
      expect.stringContaining(': video/mp4, 5 s, 1280 x 720, '),
      `SHA-256  ${SHA256}`,
      'C2PA     none',
      'AIGC     none',
      'Receipt  not given',
    ])
  })

  test.each(['sha256', 'source_sha256'])('a receipt that names the file as %s matches', async (member) => {
    const receipt = receiptOf(`${member}.json`, { [member]: SHA256, model: 'vendorA/gen-2.0' })
    const { exitCode, result } = await provenance(CLIP, '--receipt', receipt, '--keys', KEYS)
    expect({ exitCode, last: result.trimEnd().split('\n').at(-1) }).toEqual({
      exitCode: 0,
      last: 'Receipt  matches: task_1, vendorA/gen-2.0',
    })
  })

  test('a changed byte is found, wherever it is', async () => {
    const receipt = receiptOf('whole.json', { sha256: SHA256 })
    const bytes = readFileSync(CLIP)
    for (const at of [0, 5_000, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      const path = write('changed.mp4', changed)
      const { exitCode, result } = await provenance(path, '--receipt', receipt, '--keys', KEYS, '--json')
      expect(exitCode).toBe(1)
      const { ok, receipt: found } = JSON.parse(result)
      expect({ ok, found }).toMatchObject({
        ok: false,
        found: { matches: false, fault: 'it is about another file, or the file was changed' },
      })
    }
  })

  test('a receipt that is changed or names no file does not match', async () => {
    const other = JSON.stringify({ keys: [] })
    const receipt = receiptOf('fine.json', { sha256: SHA256 })
    const foreign = await provenance(CLIP, '--receipt', receipt, '--keys', write('other.json', other))
    expect(foreign).toMatchObject({
      exitCode: 1,
      result: expect.stringContaining('DOES NOT MATCH: it is signed by'),
    })
    const bare = await provenance(CLIP, '--receipt', receiptOf('bare.json', {}), '--keys', KEYS)
    expect(bare).toMatchObject({ exitCode: 1, result: expect.stringContaining('it names no file') })
  })

  test('names a missing file', async () => {
    const { exitCode, notice } = await provenance(join(folder, 'missing.mp4'))
    expect(exitCode).not.toBe(0)
    expect(notice).toContain('there is no such file')
  })
})
