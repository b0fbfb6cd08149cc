import { hash } from 'node:crypto'
import type { SandboxClock } from '../clock.ts'
import { signedQuery } from '../media/signed-link.ts'
import type { SandboxAsset } from './asset.ts'
import { type AssetStage, stageOf } from './asset-life.ts'
import { type Sample, sampleName } from './samples/sample-name.ts'

/** An asset in the format of this vendor. Each read of an active one returns a new link. */
export function assetObject(
  asset: SandboxAsset,
  { clock, url }: { clock: SandboxClock; url: string },
): Record<string, unknown> {
  const stage = stageOf(asset, clock)
  return {
    Id: asset.id,
    Name: asset.name,
    ...(stage.status === 'Active' ? { URL: mediaLink(asset, { url, clock }) } : {}),
    AssetType: asset.type,
    GroupId: asset.group.id,
    Status: stage.status,
    ...errorOf(stage),
    CreateTime: isoOf(asset.startMs),
    UpdateTime: isoOf(stage.atMs),
    ProjectName: asset.group.project,
  }
}

function errorOf(stage: AssetStage): object {
  if (stage.status !== 'Failed') return {}
  return { Error: { Code: stage.failure.code, Message: stage.failure.message } }
}

const LINK_VALID_SECONDS = 12 * 3_600

/** A link like the vendor's: good for twelve real hours. */
function mediaLink(asset: SandboxAsset, { url, clock }: { url: string; clock: SandboxClock }): string {
  const name = sampleName(sampleOf(asset))
  const query = signedQuery('media', { name, nowMs: clock.nowMs(), validSeconds: LINK_VALID_SECONDS })
  return `${url}/media/${name}?${query}`
}

/** Nothing is downloaded: an asset shows a sample of its type, with its own label. */
function sampleOf({ id, type, group }: SandboxAsset): Sample {
  const label = hash('sha256', id).slice(0, 6)
  if (type === 'Video') return { kind: 'clip', label }
  if (type === 'Audio') return { kind: 'tone', label }
  return { kind: group.type === 'LivenessFace' ? 'portrait' : 'landscape', label }
}

/** Time in whole seconds, in the format of this vendor. */
function isoOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}
