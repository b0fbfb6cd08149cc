import { plausibleMeasures } from '../../../domain/video/plausible-measures.ts'
import type { Snapshot, VendorMeasures } from '../../../domain/video/snapshot.ts'
import { looseNumber, looseRecord, looseText } from '../loose-value.ts'
import { toTaskError } from '../vendor-error.ts'
import { webLink } from '../web-link.ts'
import { readTaskFailure } from './map-failure.ts'
import { STATUSES } from './wire.ts'

/** Reads a task object. Returns undefined when it has no status. */
export function readSnapshot(json: unknown, input: { secrets: readonly string[] }): Snapshot | undefined {
  const { secrets } = input
  const task = looseRecord(json)
  const word = looseText(task.status)?.toLowerCase()
  if (word === undefined) return undefined
  const measured = readMeasured(task.usage)
  const open = { content: undefined, error: undefined, measured }
  const status = STATUSES.find((known) => known === word) ?? 'running'
  switch (status) {
    case 'succeeded':
      return readSuccess(task.content, measured) ?? { ...open, status: 'running' }
    case 'failed':
      return { ...open, status, error: toTaskError(readTaskFailure(task.error, { secrets })) }
    case 'expired':
      return { ...open, status: 'failed', error: EXPIRED }
    default:
      return { ...open, status }
  }
}

const EXPIRED = { code: 'task_expired', message: 'The task was not finished in time.' }

/**
 * Reads a success. A success without a link does not count yet: each response has a new link, so the next poll may bring
 * one, while a failure would be final. The task's deadline limits the wait.
 */
function readSuccess(payload: unknown, measured: VendorMeasures): Snapshot | undefined {
  const content = looseRecord(payload)
  const link = webLink(content.video_url)
  if (link === undefined) return undefined
  const { last_frame_url, ...rest } = content
  const frame = webLink(last_frame_url)
  const links = { video_url: link, ...(frame !== undefined && { last_frame_url: frame }) }
  return { status: 'succeeded', content: { ...rest, ...links }, error: undefined, measured }
}

function readMeasured(usage: unknown): VendorMeasures {
  const tokens = looseNumber(looseRecord(usage).completion_tokens)
  return Number.isSafeInteger(tokens) && tokens !== undefined
    ? plausibleMeasures({ completionTokens: tokens })
    : {}
}
