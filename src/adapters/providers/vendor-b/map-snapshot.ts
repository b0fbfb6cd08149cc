import { plausibleMeasures } from '../../../domain/video/plausible-measures.ts'
import type { Snapshot, VendorMeasures } from '../../../domain/video/snapshot.ts'
import { looseNumber, looseRecord, looseText } from '../loose-value.ts'
import { toTaskError } from '../vendor-error.ts'
import { webLink } from '../web-link.ts'
import { readTaskFailure } from './map-failure.ts'
import { STATUSES } from './wire.ts'

/**
 * Reads a poll reply; undefined when it says nothing about the task. The status decides, whatever `code` is:
 * a code without a status is a poll that failed, and so is a "failed" that is only about too many polls.
 */
export function readSnapshot(
  json: unknown,
  { secrets }: { secrets: readonly string[] },
): Snapshot | undefined {
  const reply = looseRecord(json)
  const said = looseText(reply.status)?.toLowerCase()
  if (said === undefined) return undefined
  const data = looseRecord(reply.data)
  const measured = readMeasured(data)
  const open = { content: undefined, error: undefined, measured }
  const status = STATUSES.get(said) ?? 'running'
  if (status === 'succeeded') return readSuccess(data, measured)
  if (status !== 'failed') return { ...open, status }
  const failure = readTaskFailure(json, { secrets })
  return failure.kind === 'busy' ? undefined : { ...open, status, error: toTaskError(failure) }
}

/** This vendor's success is its last word: without a link there will never be one. */
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
