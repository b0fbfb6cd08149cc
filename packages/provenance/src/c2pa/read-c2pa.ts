import type { BMFFHashAssertion, Manifest, ManifestStore } from '@trustnxt/c2pa-ts/manifest'
import type { ClipReader } from '../clip-reader.ts'
import { areEqual, readBoxes } from '../mp4/read-boxes.ts'
import { findManifests } from './find-manifest.ts'
import { type HashExclusion, hashClip } from './hash-clip.ts'

export interface C2paState {
  state: 'none' | 'valid' | 'invalid'
  /** Signer, as the certificate names it; the certificate is not compared with a list of trusted ones. */
  issuer: string | null
}

export type C2paReading = C2paState & {
  /** Codes of the C2PA specification for what is wrong. */
  problems: string[]
}

/** Reads the manifest of a film and checks signature, assertions and the hash of the file. */
export async function readC2pa(file: ClipReader): Promise<C2paReading> {
  const [found, ...others] = await findManifests(file)
  if (found === undefined) return { state: 'none', issuer: null, problems: [] }
  if (found.jumbf === undefined || others.length > 0 || !(await readBoxes(file)).isWhole) {
    return { state: 'invalid', issuer: null, problems: ['general.error'] }
  }
  let issuer: string | null = null
  try {
    const store = await readStore(found.jumbf)
    const active = store.getActiveManifest()
    issuer = issuerOf(active)
    const problems = active === undefined ? ['claim.missing'] : await check(file, store, active)
    return { state: problems.length === 0 ? 'valid' : 'invalid', issuer, problems }
  } catch {
    return { state: 'invalid', issuer, problems: ['general.error'] }
  }
}

/** Loads the library at the first call, so that only files with a manifest need it. */
export async function readStore(jumbf: Uint8Array): Promise<ManifestStore> {
  const { SuperBox } = await import('@trustnxt/c2pa-ts/jumbf')
  const { ManifestStore } = await import('@trustnxt/c2pa-ts/manifest')
  // The library keeps views of the bytes, so it gets a copy.
  return ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf)))
}

async function check(file: ClipReader, store: ManifestStore, active: Manifest): Promise<string[]> {
  const { BMFFHashAssertion, ValidationResult, ValidationStatusCode } = await import(
    '@trustnxt/c2pa-ts/manifest'
  )
  const bindings = active.assertions?.getHardBindings() ?? []
  if (bindings.length === 0) return [ValidationStatusCode.ClaimHardBindingsMissing]
  for (const binding of bindings) {
    const isBound = binding instanceof BMFFHashAssertion && (await holds(file, binding))
    // The library's own check reads the whole file into memory, and accepts HEIC files but no MP4.
    binding.validateAgainstAsset = () =>
      Promise.resolve(
        isBound
          ? ValidationResult.success(ValidationStatusCode.AssertionBMFFHashMatch, binding.sourceBox)
          : ValidationResult.error(ValidationStatusCode.AssertionBMFFHashMismatch, binding.sourceBox),
      )
  }
  const result = await store.validate(noAsset)
  if (result.isValid) return []
  const codes = result.statusEntries.flatMap(({ code, success }) => (success === false ? [code] : []))
  return [...new Set<string>(codes)]
}

const ALGORITHMS: ReadonlySet<string> = new Set(['SHA-256', 'SHA-384', 'SHA-512'])

/** Whether the hash is right. A hash over blocks (`merkle`) is not supported, and counts as wrong. */
async function holds(file: ClipReader, { algorithm, hash, exclusions, merkle }: BMFFHashAssertion) {
  if (algorithm === undefined || !ALGORITHMS.has(algorithm)) return false
  if (hash === undefined || merkle !== undefined) return false
  return areEqual(hash, await hashClip(file, { algorithm, exclusions: exclusions as HashExclusion[] }))
}

/** Gives the library no bytes; an assertion that asks for them makes the file invalid. */
const noAsset = {
  mimeType: 'video/mp4',
  getDataLength: () => refuse(),
  getDataRange: () => refuse(),
  getManifestJUMBF: () => refuse(),
  dumpInfo: () => refuse(),
  ensureManifestSpace: () => refuse(),
  getHashExclusionRange: () => refuse(),
  writeManifestJUMBF: () => refuse(),
}

function refuse(): never {
  throw new Error('Only the hash of an MP4 file is checked against its bytes.')
}

function issuerOf(manifest: Manifest | undefined): string | null {
  const subject = manifest?.signature?.signatureData.certificate?.subjectName
  const [name] = [...(subject?.getField('O') ?? []), ...(subject?.getField('CN') ?? [])]
  return name ?? null
}
