import { hash } from 'node:crypto'
import type { ClipSpec } from './make-clip.ts'
import { pictureSize, RATIOS, RESOLUTIONS } from './picture-size.ts'

const DAY_SECONDS = 86_400

/** A link like a vendor's: signed, and good for a day unless told otherwise. Each is a new one. */
export function clipLink(
  spec: ClipSpec,
  { url, nowMs, validSeconds = DAY_SECONDS }: { url: string; nowMs: number; validSeconds?: number },
): string {
  const name = clipName(spec)
  const issued = String(nowMs)
  const expires = String(validSeconds)
  const signature = sign({ name, issued, expires })
  return `${url}/clips/${name}?${new URLSearchParams({ issued, expires, signature })}`
}

export function checkLink(
  { name, query }: { name: string; query: URLSearchParams },
  nowMs: number,
): 'good' | 'forged' | 'expired' {
  const issued = query.get('issued') ?? ''
  const expires = query.get('expires') ?? ''
  if (query.get('signature') !== sign({ name, issued, expires })) return 'forged'
  return nowMs < Number(issued) + Number(expires) * 1_000 ? 'good' : 'expired'
}

/** Nothing secret is in it: it is there so that a link breaks like a vendor's when it is changed. */
function sign({ name, issued, expires }: { name: string; issued: string; expires: string }): string {
  return hash('sha256', `sandbox clip\n${name}\n${issued}\n${expires}`)
}

/** A clip's name says all that is needed to make it, so that nothing has to be kept: `1280x720-5s-3f7ac1.mp4`. */
function clipName({ width, height, seconds, label }: ClipSpec): string {
  return `${width}x${height}-${seconds}s-${label}.mp4`
}

const SECONDS_MAX = 60
const SIZES = RESOLUTIONS.flatMap((resolution) => RATIOS.map((ratio) => pictureSize(resolution, ratio)))

export function readClipName(name: string): ClipSpec | undefined {
  const [, width, height, seconds, label = ''] =
    /^(\d{3,4})x(\d{3,4})-(\d{1,2})s-([0-9a-f]{6})\.mp4$/.exec(name) ?? []
  const spec = { width: Number(width), height: Number(height), seconds: Number(seconds), label }
  const isKnownSize = SIZES.some((size) => size.width === spec.width && size.height === spec.height)
  return isKnownSize && spec.seconds >= 1 && spec.seconds <= SECONDS_MAX ? spec : undefined
}
