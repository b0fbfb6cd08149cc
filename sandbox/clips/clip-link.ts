import { hash } from 'node:crypto'
import type { SandboxClock } from '../clock.ts'
import { signedQuery } from '../media/signed-link.ts'
import type { ScriptWord } from '../tasks/script-words.ts'
import type { ClipSpec } from './make-clip.ts'
import { type ClipRatio, pictureSize, RATIOS, RESOLUTIONS, type Resolution } from './picture-size.ts'

const SHORT_LINK_MS = 60_000

/** A new link to the clip of a task that succeeded. Every task has its own label. */
export function taskClipLink(
  task: {
    id: string
    resolution: Resolution
    ratio: ClipRatio
    videoSeconds: number
    words: readonly ScriptWord[]
  },
  { url, clock, picture = false }: { url: string; clock: SandboxClock; picture?: boolean },
): string {
  const size = pictureSize(task.resolution, task.ratio)
  const label = hash('sha256', task.id).slice(0, 6)
  const validSeconds = task.words.includes('short-link') ? clock.realMs(SHORT_LINK_MS) / 1_000 : undefined
  const spec = { ...size, seconds: task.videoSeconds, label, marks: marksOf(task.words) }
  return clipLink(spec, { url, nowMs: clock.nowMs(), validSeconds, picture })
}

function marksOf(words: readonly ScriptWord[]): ClipSpec['marks'] {
  if (words.includes('broken-marks')) return 'broken'
  return words.includes('marked') ? 'valid' : undefined
}

const DAY_SECONDS = 86_400

export function clipLink(
  spec: ClipSpec,
  {
    url,
    nowMs,
    validSeconds = DAY_SECONDS,
    picture = false,
  }: { url: string; nowMs: number; validSeconds?: number | undefined; picture?: boolean },
): string {
  const name = `${clipName(spec)}.${picture ? 'png' : 'mp4'}`
  return `${url}/clips/${name}?${signedQuery('clip', { name, nowMs, validSeconds })}`
}

/** The name of a clip has all data to make it: `1280x720-5s-3f7ac1.mp4`, or `.png` for its last picture. */
function clipName({ width, height, seconds, label, marks }: ClipSpec): string {
  return [`${width}x${height}`, `${seconds}s`, label, ...(marks === undefined ? [] : [marks])].join('-')
}

const SECONDS_MAX = 60
const SIZES = RESOLUTIONS.flatMap((resolution) => RATIOS.map((ratio) => pictureSize(resolution, ratio)))

export function readClipName(name: string): ClipSpec | undefined {
  const [, width, height, seconds, label = '', marks] =
    /^(\d{3,4})x(\d{3,4})-(\d{1,2})s-([0-9a-f]{6})(?:-(valid|broken))?\.(?:mp4|png)$/.exec(name) ?? []
  const size = { width: Number(width), height: Number(height) }
  const spec = { ...size, seconds: Number(seconds), label, marks: marks as ClipSpec['marks'] }
  const isKnownSize = SIZES.some((size) => size.width === spec.width && size.height === spec.height)
  return isKnownSize && spec.seconds >= 1 && spec.seconds <= SECONDS_MAX ? spec : undefined
}
