import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bytesReader } from '@sluice/provenance/clip-reader'
import { markClip } from '@sluice/provenance/mark-clip'
import { type ClipSpec, makeClip } from './make-clip.ts'

/** A clip with the marks of its vendor: a manifest that the sandbox signed, and the metadata `AIGC`. */
export async function makeMarkedClip(spec: ClipSpec): Promise<Buffer> {
  const clip = makeClip(spec)
  if (spec.marks === undefined) return clip
  // No viewer trusts this key, so it is no secret. Ed25519 signs the same bytes the same way every time.
  const pem = readFileSync(new URL('../media/signer.pem', import.meta.url), 'utf8')
  const { file } = await markClip(bytesReader(clip), {
    aigc: { Label: '1', ContentProducer: 'Sluice sandbox', ProduceID: spec.label },
    c2pa: {
      certificates: pem,
      key: pem,
      generator: { name: 'Sluice sandbox', version: '1' },
      model: 'sandbox',
      id: uuidOf(spec.label),
    },
  })
  const marked = Buffer.from(await file.read(0, file.size))
  if (spec.marks === 'broken') marked.write('Label=1', marked.indexOf('{"Label"'))
  return marked
}

function uuidOf(label: string): string {
  const digits = hash('sha256', label)
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ]
  return [...parts, digits.slice(20, 32)].join('-')
}
