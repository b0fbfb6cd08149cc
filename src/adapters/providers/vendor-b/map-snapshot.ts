import { plausibleMeasures } from '../../../domain/video/plausible-measures.ts'
import type { Snapshot, VendorMeasures } from '../../../domain/video/snapshot.ts'
import { looseNumber, looseRecord, looseText } from '../loose-value.ts'
import { toTaskError } from '../vendor-error.ts'
import { webLink } from '../web-link.ts'
import { readTaskFailure } from './map-failure.ts'
import { STATUSES } from './wire.ts'

/**
 * Reads a poll reply. Returns undefined when it tells nothing about the task. The status decides, not
 * `code`: a code without a status is a failed poll, and so is `failed` with a code for "busy" (429, 481).
 */
export function readSnapshot(json: unknown, input: { secrets: readonly string[] }): Snapshot | undefined {
  const { secrets } = input
  const reply = looseRecord(json)
  const word = looseText(reply.status)?.toLowerCase()
  if (word === undefined) return undefined
  const data = looseRecord(reply.data)
  const measured = readMeasured(data)
  const open = { content: undefined, error: undefined, measured }
  const status = STATUSES.get(word) ?? 'running'
  if (status === 'succeeded') return readSuccess(data, measured)
  if (status !== 'failed') return { ...open, status }
  const failure = readTaskFailure(json, { secrets })
  return failure.kind === 'busy' ? undefined : { ...open, status, error: toTaskError(failure) }
}

/** Reads a success, which is final at this vendor: a missing link will not come later. */
function readSuccess(data: Readonly<Record<string, unknown>>, measured: VendorMeasures): Snapshot {
  const link = webLink(data.video_url)
  if (link !== undefined) {
    return { status: 'succeeded', content: { ...data, video_url: link }, error: undefined, measured }
  }
  const error = toTaskError({ kind: 'other', message: 'The provider finished without a video.' })
  return { status: 'failed', content: undefined, error, measured }
}

function readMeasured({ cost_credits, duration }: Readonly<Record<string, unknown>>): VendorMeasures {
  const credits = looseNumber(cost_credits)
  const seconds = looseNumber(duration)
  return plausibleMeasures({
    ...(credits === undefined ? {} : { credits }),
    ...(seconds === undefined ? {} : { seconds }),
  })
}
