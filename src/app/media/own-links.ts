import { type ClipKind, LINK_OF } from '../../domain/video/clip.ts'
import type { ClipStore } from '../../ports/clips.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Runtime } from '../runtime.ts'

/** Path of the public links to kept files; a token follows. */
export const MEDIA_PATH = '/v1/media'

/** A token has the random part of the copy's id, its expiry in seconds, and a mark of this deployment. */
const ID_BYTES = 16
const SECONDS_BYTES = 6
const MARK_BYTES = 16
const TOKEN = /^[\w-]{51}$/
const CLIP_START = 'clip_'

const HOUR_MS = 3_600_000

export type ContentLinks = Partial<Record<(typeof LINK_OF)[ClipKind], string>>

/** Links to kept files by the id of a task (valid for a day) or an asset (12 hours), never beyond the copy's expiry. */
export type OwnLinks = (taskIds: readonly string[]) => Promise<ReadonlyMap<string, ContentLinks>>

export function ownLinks(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    clips: Pick<ClipStore, 'listOfTasks'>
    /** Address of the gateway for clients, without a final slash. */
    publicBaseUrl(): string
  },
): OwnLinks {
  const { clips, clock } = tools
  return async (taskIds) => {
    const links = new Map<string, ContentLinks>()
    if (taskIds.length === 0) return links
    const nowMs = clock.nowMs()
    for (const { id, taskId, kind, state, keptUntilMs } of await clips.listOfTasks(taskIds)) {
      if (state !== 'kept' || kind === 'upload' || keptUntilMs === null || keptUntilMs <= nowMs) continue
      const untilMs = Math.min(keptUntilMs, nowMs + (kind === 'asset' ? 12 : 24) * HOUR_MS)
      const link = mediaLink({ id, untilMs }, tools)
      links.set(taskId, { ...links.get(taskId), [LINK_OF[kind]]: link })
    }
    return links
  }
}

export function mediaLink(
  file: { id: string; untilMs: number },
  { secrets, publicBaseUrl }: Pick<Runtime, 'secrets'> & { publicBaseUrl(): string },
): string {
  return `${publicBaseUrl()}${MEDIA_PATH}/${makeMediaToken(file, secrets)}`
}

export function makeMediaToken({ id, untilMs }: { id: string; untilMs: number }, secrets: Secrets): string {
  const content = Buffer.alloc(ID_BYTES + SECONDS_BYTES)
  content.write(id.slice(CLIP_START.length), 'hex')
  content.writeUIntBE(Math.floor(untilMs / 1_000), ID_BYTES, SECONDS_BYTES)
  return Buffer.concat([content, secrets.mark(marked(content), MARK_BYTES)]).toString('base64url')
}

/** Returns undefined for a token that was not made here, so that a made-up address needs no query. */
export function readMediaToken(token: string, secrets: Secrets): { id: string; untilMs: number } | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const content = bytes.subarray(0, ID_BYTES + SECONDS_BYTES)
  if (!secrets.isMark(bytes.subarray(content.length), marked(content))) return undefined
  return {
    id: `${CLIP_START}${content.toString('hex', 0, ID_BYTES)}`,
    untilMs: content.readUIntBE(ID_BYTES, SECONDS_BYTES) * 1_000,
  }
}

/** Adds a prefix that no other marked text has, so that a mark made for another purpose never matches. */
function marked(content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('media '), content])
}
