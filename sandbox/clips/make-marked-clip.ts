import { createPrivateKey, hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bytesReader } from '@sluice/provenance/clip-reader'
import { markClip } from '@sluice/provenance/mark-clip'
import { type ClipSpec, makeClip } from './make-clip.ts'

/** A clip with the marks of its vendor: a manifest that the sandbox signed, and the metadata `AIGC`. */
export async function makeMarkedClip(spec: ClipSpec): Promise<Buffer> {
  const clip = makeClip(spec)
  if (spec.marks === undefined) return clip
  const { file } = await markClip(bytesReader(clip), {
    aigc: { Label: '1', ContentProducer: 'Sluice sandbox', ProduceID: spec.label },
    c2pa: {
      ...sandboxSigner(),
      generator: { name: 'Sluice sandbox', version: '1' },
      model: 'sandbox',
      id: uuidOf(spec.label),
    },
  })
  const marked = Buffer.from(await file.read(0, file.size))
  if (spec.marks === 'broken') marked.write('Label=1', marked.indexOf('{"Label"'))
  return marked
}

/** Certificates and key of the sandbox. The key is no secret: no viewer trusts it. Ed25519 signatures do not vary. */
export function sandboxSigner(): { certificates: string; key: string } {
  const [d, x] = [
    '41UkTyW2OitSCYFZWdUXGMYoX6bHfKfp6aqciCgHaSM',
    '7M7sOMPQvd7N-QXiGZsmsCtGCL88k9it1-TmqpTQsBU',
  ]
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
  return {
    certificates: readFileSync(new URL('../media/signer.crt', import.meta.url), 'utf8'),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
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
