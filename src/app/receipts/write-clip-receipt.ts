import type { StoredClip } from '../../ports/clips.ts'
import { presentTime } from '../views/times.ts'
import { type ChainPosition, headOf } from './write-receipt.ts'

/** Entry about a kept video: the facts of the file, and the model that made it. It names no person. */
export function writeClipReceipt(clip: StoredClip, position: ChainPosition): string {
  const { facts, provider, model, keptAtMs } = clip
  if (facts === null || keptAtMs === null) throw new Error('the copy was never kept')
  return JSON.stringify({
    ...headOf('video.clip', position),
    organization_id: clip.organizationId,
    key_id: clip.keyId,
    task_id: clip.taskId,
    made_by: { provider, model },
    ai_generated: true,
    kept_at: presentTime(keptAtMs),
    source_sha256: facts.sourceSha256,
    ...factsJson(facts),
    has_verified_person: clip.consent !== 'none',
  })
}

/** Members that the entry and the provenance of a task share. */
export function factsJson(facts: NonNullable<StoredClip['facts']>) {
  return {
    sha256: facts.sha256,
    bytes: facts.bytes,
    media_type: facts.mediaType,
    duration_ms: facts.durationMs,
    width: facts.width,
    height: facts.height,
    watermark: facts.watermark,
    marks: facts.marks === null ? null : JSON.parse(facts.marks),
  }
}
