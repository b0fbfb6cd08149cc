import { plausibleMeasures } from '../../../domain/video/plausible-measures.ts'
import type { Snapshot, VendorMeasures } from '../../../domain/video/snapshot.ts'
import { looseNumber, looseRecord, looseText } from '../loose-value.ts'
import { toTaskError } from '../vendor-error.ts'
import { webLink } from '../web-link.ts'
import { readTaskFailure } from './map-failure.ts'
import { STATUSES } from './wire.ts'

/** Reads a task object; undefined when it names no status and so says nothing about the task. */
export function readSnapshot(
  json: unknown,
  { secrets }: { secrets: readonly string[] },
): Snapshot | undefined {
  const task = looseRecord(json)
  const said = looseText(task.status)?.toLowerCase()
  if (said === undefined) return undefined
  const measured = readMeasured(task.usage)
  const open = { content: undefined, error: undefined, measured }
  const status = STATUSES.find((known) => known === said) ?? 'running'
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
 * A success whose link is missing is not one yet. This vendor gives a fresh link with every answer, so the next
 * poll may bring it; a failure, once believed, could never be taken back. The task's deadline bounds the wait.
 */
function readSuccess(payload: unknown, measured: VendorMeasures): Snapshot | undefined {
  const content = looseRecord(payload)
  const link = webLink(content.video_url)
  if (link === undefined) return undefined
  return { status: 'succeeded', content: { ...content, video_url: link }, error: undefined, measured }
}

function readMeasured(usage: unknown): VendorMeasures {
  const tokens = looseNumber(looseRecord(usage).completion_tokens)
  return Number.isSafeInteger(tokens) && tokens !== undefined
    ? plausibleMeasures({ completionTokens: tokens })
    : {}
}
