import { ApiError, invalidParameter } from '../../domain/api-error.ts'
import { clipFolder } from '../../domain/video/clip.ts'
import type { ClipStore, NewClip } from '../../ports/clips.ts'
import type { MediaStage, MediaStore } from '../../ports/media-store.ts'
import type { Runtime } from '../runtime.ts'
import { mediaLink } from './own-links.ts'

const DAY_MS = 86_400_000
const STORING_MS_MAX = 60_000
/** After this time the copier removes the files of an upload whose process has died. */
const LEFT_BEHIND_MS = 15 * 60_000

/** An image that came with a create call. */
export interface Upload {
  /** Link for the vendor; it works once the file is kept. */
  url: string
  /** Stores the file. Rejects with an `ApiError`, after which nothing is kept. */
  keep(task: Pick<NewClip, 'taskId' | 'organizationId' | 'keyId' | 'provider' | 'model'>): Promise<void>
}

/** Throws 400 for a file that is no image or too large, or that no vendor could fetch. Stores nothing yet. */
export type PlaceUpload = (content: Buffer) => Upload

const PARAM = 'input_reference'
const ADVICE = 'Give an HTTPS link or asset://<asset_id> instead.'

export function placeUpload(
  tools: Pick<Runtime, 'clock' | 'newId' | 'secrets'> & {
    clips: Pick<ClipStore, 'beginUpload' | 'keep' | 'giveUp' | 'sumKept'>
    media: Pick<MediaStore, 'put'>
    stage: Pick<MediaStage, 'receive' | 'drop'>
    publicBaseUrl(): string
    /** Whether a vendor may fetch this link. */
    isReachable(url: string): boolean
    bounds: { keptDays: number; bytesMax: number; organizationBytesMax: number }
  },
): PlaceUpload {
  const { clock, newId, clips, media, stage, isReachable } = tools
  const { keptDays, bytesMax, organizationBytesMax } = tools.bounds
  return (content) => {
    const mediaType = imageTypeOf(content)
    if (mediaType === undefined) throw refused('must be a PNG, JPEG or WebP image.')
    if (content.length > bytesMax) throw refused(`must have at most ${bytesMax} bytes.`)
    const id = newId('clip')
    const keptUntilMs = clock.nowMs() + keptDays * DAY_MS
    const url = mediaLink({ id, untilMs: keptUntilMs }, tools)
    if (!isReachable(url))
      throw refused(
        'cannot be a file: vendors fetch it from PUBLIC_BASE_URL, which must be an https address.',
      )
    return {
      url,
      async keep(task) {
        const { organizationId } = task
        const kind = 'upload'
        const atMs = clock.nowMs()
        const bytes = content.length
        if (organizationBytesMax > 0 && (await clips.sumKept(organizationId)) + bytes > organizationBytesMax)
          throw refused('cannot be a file: the media store has no room left for this organization.')
        const storeKey = clipFolder({ organizationId, id })
        const dueAtMs = atMs + LEFT_BEHIND_MS
        if (!(await clips.beginUpload({ ...task, id, kind, storeKey, atMs, dueAtMs })))
          throw refused('cannot be a file: no files are kept for this organization.')
        try {
          await store(`${storeKey}0.image`, { id, mediaType, atMs, keptUntilMs })
        } catch (cause) {
          await clips.giveUp({ id, fence: 0, reason: 'not_stored', atMs }).catch(() => {})
          throw new ApiError('store_unavailable', { cause })
        } finally {
          await stage.drop(id).catch(() => {})
        }
      },
    }

    async function store(
      key: string,
      { id, mediaType, ...times }: { id: string; mediaType: string; atMs: number; keptUntilMs: number },
    ): Promise<void> {
      const signal = AbortSignal.timeout(STORING_MS_MAX)
      const file = await stage.receive({ name: id, body: once(content), bytesMax, onPiece() {}, signal })
      await media.put({ ...file, key, mediaType, signal })
      const { sha256, bytes } = file
      const picture = { durationMs: null, width: null, height: null, watermark: null, marks: null }
      const facts = { sha256, sourceSha256: sha256, bytes, mediaType, ...picture }
      if (!(await clips.keep({ id, fence: 0, storeKey: key, facts, ...times })))
        throw new Error('the upload was erased meanwhile')
    }
  }
}

async function* once(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content
}

/** First bytes of the images that vendors take. */
const SIGNATURES: readonly (readonly [type: string, signature: string, at: number])[] = [
  ['image/png', '\x89PNG\r\n', 0],
  ['image/jpeg', '\xff\xd8\xff', 0],
  ['image/webp', 'WEBP', 8],
]

function imageTypeOf(content: Buffer): string | undefined {
  const head = content.toString('latin1', 0, 16)
  return SIGNATURES.find(([, signature, at]) => head.startsWith(signature, at))?.[0]
}

function refused(problem: string): ApiError {
  return invalidParameter(PARAM, `${PARAM} ${problem} ${ADVICE}`)
}
