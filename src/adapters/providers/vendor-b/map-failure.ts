import { cleanMessage } from '../clean-message.ts'
import { isRecord, looseNumber, looseRecord, looseText } from '../loose-value.ts'
import type { VendorError, VendorErrorKind } from '../vendor-error.ts'

/** Returns the failure code of the body, or else the HTTP status. */
export function readCode({ status, json }: { status: number; json: unknown }): number {
  const code = looseNumber(looseRecord(json).code)
  return code !== undefined && isFailureCode(code) ? code : status
}

export function isFailureCode(code: number): boolean {
  return code >= 400 && code < 600
}

export function readVendorError(
  reply: { status: number; json: unknown },
  { secrets }: { secrets: readonly string[] },
): VendorError {
  const kind = KINDS.get(readCode(reply)) ?? 'unavailable'
  const body = looseRecord(reply.json)
  const details = readDetails(body.detail)
  const field = details[0]?.field
  const words = details.length > 0 ? details.map(({ text }) => text).join('; ') : undefined
  const message = cleanMessage(words ?? looseText(body.msg) ?? looseText(body.detail), { secrets })
  const isOurs = field !== undefined && OUR_FIELDS.has(field)
  return {
    kind: isOurs && kind === 'invalid-parameter' ? 'unavailable' : kind,
    message,
    param: field === undefined ? undefined : PARAMS.get(field),
  }
}

export function readTaskFailure(
  json: unknown,
  { secrets }: { secrets: readonly string[] },
): Pick<VendorError, 'kind' | 'message'> {
  const { code, msg } = looseRecord(json)
  const kind = KINDS.get(looseNumber(code) ?? 0) ?? 'other'
  return { kind, message: cleanMessage(looseText(msg), { secrets }) }
}

const KINDS: ReadonlyMap<number, VendorErrorKind> = new Map([
  [401, 'unavailable'],
  [403, 'unavailable'],
  [422, 'invalid-parameter'],
  [429, 'busy'],
  // Our account has no credits left.
  [480, 'unavailable'],
  // Our account has too many open tasks.
  [481, 'busy'],
  [482, 'content-policy'],
])

/** Fields that the client does not send: our key, and the mode, which comes from the model's name. */
const OUR_FIELDS: ReadonlySet<string> = new Set(['api_key', 'mode'])

/** Names of our parameters, by the vendor's field names. */
const PARAMS: ReadonlyMap<string, string> = new Map([
  ['duration', 'duration'],
  ['aspect_ratio', 'ratio'],
  ['resolution', 'resolution'],
  ['sound', 'generate_audio'],
  ...[
    'prompt',
    'first_frame_image',
    'end_frame_image',
    'mid_frame_images',
    'ref_images',
    'ref_videos',
    'prefix_video',
    'cut_type',
    'video_url',
    'style_name',
  ].map((field) => [field, 'content'] as const),
])

/** Reads only field and text of each detail, because some servers repeat the input with the key. */
function readDetails(detail: unknown): { field: string | undefined; text: string }[] {
  if (!Array.isArray(detail)) return []
  return detail.filter(isRecord).flatMap(({ loc, msg }) => {
    const text = looseText(msg)
    if (text === undefined) return []
    const places: unknown[] = Array.isArray(loc) ? loc : []
    const field = places.map(looseText).find((place) => place !== undefined && place !== 'body')
    return [{ field, text }]
  })
}
