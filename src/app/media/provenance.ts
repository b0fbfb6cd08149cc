import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { ClipConsent } from '../../domain/video/clip.ts'
import type { ClipStore } from '../../ports/clips.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import { boundPerMinute } from '../limits/rate/bound-per-minute.ts'
import type { AppendReceipt } from '../receipts/append-receipt.ts'
import { factsJson, writeClipReceipt } from '../receipts/write-clip-receipt.ts'

/** Shows the facts of a task's video file and their signed entry. Both stay when the file and the task are gone. */
export type GetProvenance = (question: { id: string; caller: Pick<Caller, 'keyId'> }) => Promise<object>

export function getProvenance(tools: {
  clips: Pick<ClipStore, 'listOfTasks'>
  tasks: Pick<TaskStore, 'find'>
  append: AppendReceipt
}): GetProvenance {
  const { clips, tasks, append } = tools
  return async ({ id, caller: { keyId } }) => {
    const copies = await clips.listOfTasks([id])
    const clip = copies.find((copy) => copy.kind === 'video' && copy.keyId === keyId)
    if (clip === undefined && (await tasks.find({ id, keyId })) === undefined)
      throw new ApiError('task_not_found')
    if (clip === undefined || clip.facts === null) throw new ApiError('clip_not_kept')
    const { organizationId, facts, keptUntilMs } = clip
    const entry = { id: clip.id, organizationId, keyId, requestId: null }
    const { jws } = await append(entry, (position) => writeClipReceipt(clip, position))
    return {
      task_id: id,
      ...factsJson(facts),
      kept_until: keptUntilMs === null ? null : new Date(keptUntilMs).toISOString(),
      entry: JSON.parse(jws),
    }
  }
}

/** Answer to a visitor who has a file. It says nothing about the customer. */
export type Verdict =
  | { made: false }
  | { made: true; created: number; model: string; marks: unknown; consent: ClipConsent }

/** Maximum look-ups per minute from one address. */
const LOOKUPS_PER_MINUTE_MAX = 60

export type FindProvenance = (lookup: { sha256: string; address: string }) => Promise<Verdict>

export function findProvenance(input: {
  clips: Pick<ClipStore, 'findByHash'>
  clock: Clock
}): FindProvenance {
  const { clips, clock } = input
  const lookups = boundPerMinute({ clock, max: LOOKUPS_PER_MINUTE_MAX })
  return async ({ sha256, address }) => {
    const refusal = lookups.count(address)
    if (refusal !== undefined) throw refusal
    const clip = await clips.findByHash(sha256)
    if (clip === undefined || clip.facts === null) return { made: false }
    const { createdAtMs, model, consent, facts } = clip
    const { marks } = factsJson(facts)
    return { made: true, created: Math.floor(createdAtMs / 1_000), model, marks, consent }
  }
}
