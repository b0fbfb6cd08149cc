import type { CallbackStanding, TaskReport } from '../../app/video/task-report.ts'
import { presentTime } from '../../app/views/times.ts'
import { oneLine } from './format-table.ts'
import { formatDuration, formatUsd } from './formats.ts'

export function taskRow(task: TaskReport): Record<string, string> {
  return {
    ID: task.id,
    STATUS: task.setAsideAtMs === null ? task.status : `${task.status}, set aside`,
    CREATED: presentTime(task.createdAtMs),
    AGE: formatDuration(task.ageMs),
    MODEL: task.model,
    ORGANIZATION: task.organizationId,
    HELD: formatUsd(task.heldMicros),
    CHARGED: task.chargedMicros === null ? '-' : formatUsd(task.chargedMicros),
    CALLBACK: task.callback,
    ERROR: task.error?.code ?? '-',
    // This column is last, because ids of vendors may be very long.
    'UPSTREAM ID': task.ticket ?? '-',
  }
}

export function describeTask(task: TaskReport): string {
  const facts = {
    Task: task.id,
    Status: `${task.status}${task.deletedAtMs === null ? '' : ', deleted'}`,
    'Set aside':
      task.setAsideAtMs === null
        ? undefined
        : `${presentTime(task.setAsideAtMs)}, its row could not be read; "sluice task resume" makes it due again`,
    Withheld:
      task.withheldAtMs === null
        ? undefined
        : `${presentTime(task.withheldAtMs)}, a person in it took the consent back`,
    Error: task.error === null ? undefined : `${task.error.code}: ${task.error.message}`,
    Model: task.model,
    'Served by': task.servedModel === task.model ? undefined : task.servedModel,
    'Upstream id': task.ticket ?? (task.status === 'submitting' ? 'no answer yet' : '-'),
    Organization: task.organizationId,
    User: task.userId,
    Key: task.keyId,
    Created: presentTime(task.createdAtMs),
    'Last heard of': task.updatedAtMs === null ? undefined : presentTime(task.updatedAtMs),
    Ended: task.completedAtMs === null ? undefined : presentTime(task.completedAtMs),
    [task.hasEnded ? 'Took' : 'Age']: formatDuration(task.ageMs),
    Deadline: task.hasEnded ? undefined : presentTime(task.deadlineAtMs),
    Money: describeMoney(task),
    Refunded: task.refundedMicros === 0 ? undefined : formatUsd(task.refundedMicros),
    Callback: CALLBACK_TEXTS[task.callback],
  }
  return Object.entries(facts)
    .filter(([, fact]) => fact !== undefined)
    .map(([name, fact = '']) => `${name.padEnd(NAME_WIDTH)}${oneLine(fact)}`)
    .concat(describeAttempts(task))
    .join('\n')
}

/** Describes several attempts at vendors; `describeTask` shows the facts of a single one. */
function describeAttempts({ vendorAttempts = [] }: TaskReport): string[] {
  if (vendorAttempts.length < 2) return []
  return vendorAttempts.map(({ number, model, state, reason, ticket, vendorCostMicros }) => {
    const cost = vendorCostMicros === null ? '' : `, billed ${formatUsd(vendorCostMicros)} by the vendor`
    const why = reason === null ? '' : ` (${reason})`
    const line = `${model} ${state}${why}, upstream id ${ticket ?? '-'}${cost}`
    return `${`Attempt ${number}`.padEnd(NAME_WIDTH)}${oneLine(line)}`
  })
}

const NAME_WIDTH = 'Last heard of'.length + 2

const CALLBACK_TEXTS: Readonly<Record<CallbackStanding, string>> = {
  none: 'none asked for',
  off: 'not sent: VIDEO_WEBHOOK_BASE_URL was not set when the task was made',
  'after-end': 'sent when the task ends',
  pending: 'not delivered yet; "sluice callback list" shows the attempts',
  delivered: 'delivered',
  'given-up': 'given up; "sluice callback list" shows why, "sluice callback resend" tries again',
}

function describeMoney({ chargedMicros, heldMicros, estimateMicros }: TaskReport): string {
  if (chargedMicros === null) return `${formatUsd(heldMicros)} held`
  return `${formatUsd(chargedMicros)} charged, of ${formatUsd(estimateMicros)} that were held`
}
