import type { Manifest } from '@trustnxt/c2pa-ts/manifest'
import type { ClipReader } from '../clip-reader.ts'
import { makeBox } from '../mp4/read-boxes.ts'
import { clipSigner, type SigningCredential } from './clip-signer.ts'
import { MANIFEST_HEAD } from './find-manifest.ts'
import { hashClip } from './hash-clip.ts'
import { readStore } from './read-c2pa.ts'

export type ManifestOptions = SigningCredential & {
  /** Program that makes the claim. */
  generator: { name: string; version: string }
  /** Model that made the film. */
  model: string
  /** A new UUID. */
  id: string
}

/** A manifest box whose size is fixed before the file that contains it exists. */
export interface PlannedManifest {
  bytes: number
  /** Makes the box for a file that already has a box of this size in its place. */
  write(file: ClipReader): Promise<Uint8Array>
}

const MEDIA_TYPE = 'video/mp4'
/** Room for a signature of 4,096 bits. */
const PADDING_BYTES = 1_024

/**
 * Plans a manifest with the statement that a model created the film. Earlier manifests of the film stay in the store, and
 * the active one becomes an ingredient. undefined: they cannot be read, so they would be lost.
 */
export async function planManifest(
  options: ManifestOptions,
  earlier: Uint8Array | undefined,
): Promise<PlannedManifest | undefined> {
  const {
    ActionAssertion,
    ActionType,
    BMFFHashAssertion,
    ClaimVersion,
    DigitalSourceType,
    ManifestStore,
    Signature,
  } = await import('@trustnxt/c2pa-ts/manifest')
  const signer = clipSigner(options)
  const store = earlier === undefined ? new ManifestStore() : await readStore(earlier).catch(() => undefined)
  if (store === undefined) return undefined
  const before = store.getActiveManifest()
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: MEDIA_TYPE,
    instanceID: `xmp:iid:${options.id}`,
    defaultHashAlgorithm: 'SHA-256',
    signer,
  })
  manifest.label = `urn:c2pa:${options.id}`
  manifest.signature = Signature.create(signer, PADDING_BYTES)
  if (manifest.claim === undefined) throw new Error('The library made a manifest without a claim.')
  manifest.claim.claimGeneratorName = options.generator.name
  manifest.claim.claimGeneratorVersion = options.generator.version

  const actions = new ActionAssertion()
  const softwareAgent = { name: options.model }
  const digitalSourceType = DigitalSourceType.TrainedAlgorithmicMedia
  actions.actions.push({ action: ActionType.C2paCreated, softwareAgent, digitalSourceType })
  if (before !== undefined) {
    const ingredients = [await addIngredient(manifest, before)]
    actions.actions.push({ action: ActionType.C2paPlaced, parameters: { ingredients } })
  }
  manifest.addAssertion(actions)
  const binding = BMFFHashAssertion.createV3('jumbf manifest', 'SHA-256')
  manifest.addAssertion(binding)

  const size = boxOf(new Uint8Array(store.measureSize())).length
  return {
    bytes: size,
    async write(file) {
      binding.hash = await hashClip(file, { algorithm: 'SHA-256', exclusions: binding.exclusions })
      await manifest.sign(signer)
      return boxOf(store.getBytes())
    },
  }
}

async function addIngredient(manifest: Manifest, before: Manifest) {
  const { IngredientAssertion, RelationshipType } = await import('@trustnxt/c2pa-ts/manifest')
  const ingredient = IngredientAssertion.createV3(RelationshipType.ComponentOf)
  ingredient.title = 'The film as the vendor delivered it'
  ingredient.format = MEDIA_TYPE
  ingredient.activeManifest = manifest.createHashedReference(`/c2pa/${before.label}`)
  ingredient.claimSignature = manifest.createHashedReference(
    `/c2pa/${before.label}/${before.signature?.label}`,
  )
  ingredient.validationResults = { activeManifest: { success: [], informational: [], failure: [] } }
  manifest.addAssertion(ingredient)
  return manifest.createAssertionReference(ingredient)
}

function boxOf(jumbf: Uint8Array): Uint8Array {
  return makeBox('uuid', MANIFEST_HEAD, jumbf)
}
