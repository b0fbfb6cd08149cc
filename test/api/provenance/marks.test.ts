import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readC2pa } from '@sluice/provenance/c2pa/read-c2pa'
import type { ManifestOptions } from '@sluice/provenance/c2pa/write-manifest'
import { bytesReader } from '@sluice/provenance/clip-reader'
import { inspectClip } from '@sluice/provenance/inspect-clip'
import { type MarkOptions, markClip } from '@sluice/provenance/mark-clip'
import { makeBox } from '@sluice/provenance/mp4/read-boxes'
import { describe, expect, test } from 'vitest'
import { sandboxSigner } from '../../../sandbox/clips/make-marked-clip.ts'
import { findBox, readBoxes } from '../sandbox/read-mp4.ts'
import { judgeManifest } from './judge-manifest.ts'
import { makeSigner } from './make-signer.ts'
import { runExiftool } from './run-exiftool.ts'

const CLIP = readFileSync(new URL('../../../sandbox/media/864x496.mp4', import.meta.url))
const SIGNER = sandboxSigner()
const AIGC = { Label: '1', ContentProducer: 'Example', ProduceID: 'task_1' }

const manifest = (signer = SIGNER): ManifestOptions => ({
  ...signer,
  generator: { name: 'Sluice', version: '1' },
  model: 'vendorA/gen-2.0',
  id: randomUUID(),
})

async function mark(clip: Buffer, options: MarkOptions) {
  const { file, added } = await markClip(bytesReader(clip), options)
  return { added, bytes: Buffer.from(await file.read(0, file.size)) }
}

/** The first four bytes of each chunk, by the offsets of the file itself. */
function chunksOf(file: Buffer): Buffer[] {
  const offsets = findBox(readBoxes(file), 'moov/trak/mdia/minf/stbl/stco').content
  return Array.from({ length: offsets.readUInt32BE(4) }, (_, index) => {
    const at = offsets.readUInt32BE(8 + 4 * index)
    return file.subarray(at, at + 4)
  })
}

describe('markClip', () => {
  test('writes AIGC metadata that exiftool reads, and moves the chunk offsets along', async () => {
    const { added, bytes } = await mark(CLIP, { aigc: AIGC })
    expect(added).toEqual(['aigc'])
    const read = runExiftool(bytes)
    expect(read).toMatchObject({ Duration: 5, ImageWidth: 864, ImageHeight: 496, AIGC: expect.anything() })
    expect(read.Warning).toBeUndefined()
    const { AIGC: text } = read
    expect(typeof text === 'string' ? JSON.parse(text) : text).toMatchObject(AIGC)
    expect(chunksOf(bytes)).toEqual(chunksOf(CLIP))
  })

  test.each([
    ['P-256', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']],
    ['P-384', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384']],
    ['RSA', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']],
    ['Ed25519', ['-algorithm', 'ED25519']],
  ])('signs a manifest with a key on %s that c2pa-rs and c2pa-ts call valid', async (_name, kind) => {
    const { added, bytes } = await mark(CLIP, { aigc: AIGC, c2pa: manifest(makeSigner(kind)) })
    expect(added).toEqual(['aigc', 'c2pa'])
    expect(await readC2pa(bytesReader(bytes))).toEqual({ state: 'valid', issuer: 'Operator', problems: [] })
    const { validation_state: state, validation_status: status, ...judged } = await judgeManifest(bytes)
    // The judge has no list of trusted issuers.
    expect({ state, codes: status?.map(({ code }) => code) }).toEqual({
      state: 'Valid',
      codes: ['signingCredential.untrusted'],
    })
    expect(judged.manifests[judged.active_manifest]?.signature_info.issuer).toBe('Operator')
    expect(runExiftool(bytes)).toMatchObject({ AIGC: expect.anything() })
    expect(chunksOf(bytes)).toEqual(chunksOf(CLIP))
  })

  test("keeps the vendor's manifest as an ingredient", async () => {
    const vendors = await mark(CLIP, { c2pa: manifest() })
    const { bytes } = await mark(vendors.bytes, { aigc: AIGC, c2pa: manifest() })
    expect(await readC2pa(bytesReader(bytes))).toMatchObject({ state: 'valid', problems: [] })
    const judged = await judgeManifest(bytes)
    expect(judged.validation_state).toBe('Valid')
    expect(Object.keys(judged.manifests)).toHaveLength(2)
    expect(judged.manifests[judged.active_manifest]?.ingredients).toHaveLength(1)
  })

  test('a byte changed anywhere behind the type of the file makes the manifest invalid', async () => {
    const { bytes } = await mark(CLIP, { aigc: AIGC, c2pa: manifest() })
    const type = readBoxes(bytes)[0]?.content.length ?? 0
    for (let at = type + 16; at < bytes.length; at += 397) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      const { marks } = await inspectClip(bytesReader(changed))
      expect({ at, state: marks.c2pa.state }).not.toEqual({ at, state: 'valid' })
    }
  })

  test('adds no metadata if that would break a manifest, and no second metadata', async () => {
    const vendors = await mark(CLIP, { c2pa: manifest() })
    expect(await mark(vendors.bytes, { aigc: AIGC })).toEqual({ added: [], bytes: vendors.bytes })
    const labelled = await mark(CLIP, { aigc: AIGC })
    expect(await mark(labelled.bytes, { aigc: { Label: '2' } })).toEqual({ added: [], bytes: labelled.bytes })
  })

  test('returns an incomplete MP4 unchanged', async () => {
    const index = ['stco', 'stbl', 'minf', 'mdia', 'trak', 'moov'].reduce<Uint8Array>(
      (content, type) => makeBox(type, content),
      new Uint8Array(),
    )
    const withEmptyTable = Buffer.concat([makeBox('ftyp', Buffer.from('isom0000')), index])
    for (const other of [Buffer.alloc(0), Buffer.from('text'), CLIP.subarray(0, 3_000), withEmptyTable]) {
      expect(await mark(other, { aigc: AIGC, c2pa: manifest() })).toEqual({ added: [], bytes: other })
    }
  })
})
