import { ApiError } from '../../domain/api-error.ts'
import type { Checkpoint } from '../../ports/checkpoint.ts'
import type { Begun, TaskStore } from '../../ports/tasks.ts'
import { type BudgetTime, moneyRefused } from '../billing/money-refused.ts'
import type { TaskDraft } from './draft-task.ts'
import { type ForgetTools, forgetTask } from './forget-task.ts'

export interface BeginTools extends Omit<ForgetTools, 'tasks'> {
  tasks: Pick<TaskStore, 'begin' | 'forget'>
  calendar: BudgetTime['calendar']
  checkpoint: Checkpoint
}

export interface RehearseTools extends Pick<BeginTools, 'calendar' | 'clock'> {
  tasks: Pick<TaskStore, 'begin'>
  days: Pick<BeginTools['days'], 'reserve' | 'letGo'>
}

export type BegunTask =
  /** `day` is the calendar day on which the hold counts. */
  { kind: 'begun'; day: string } | { kind: 'replay' }

/**
 * Reserves the money and writes the intent: the task's row and hold, which stay if the process dies. Refuses beyond the
 * day's limit (429), beyond the balance (402), and for an idempotency key that is in use (409, 422).
 */
export async function beginTask(draft: TaskDraft, tools: BeginTools): Promise<BegunTask> {
  const { task, hold, claim, quoteId, groupIds } = draft
  const { tasks, days, calendar, clock, checkpoint } = tools
  const { userId } = hold
  const reservation = await days.reserve(userId, hold.amountMicros)
  const day = reservation?.day ?? calendar.dayAt(clock.nowMs())
  checkpoint('create.before-intent')
  let begun: Begun
  try {
    begun = await tasks.begin({ task, hold: { ...hold, day }, idempotency: claim, quoteId, groupIds })
  } catch (error) {
    // The intent may have been written, and would keep money and key until the sweep ends it, although nothing was sent.
    void forgetTask({ task, day }, tools)
    // The recount comes before the answer, so that the client's next attempt does not find its day still reserved.
    if (reservation !== undefined) await days.recount({ userId, day })
    throw error
  }
  if (begun.kind === 'begun') {
    void days.apply(reservation, begun.day)
    checkpoint('create.after-intent')
    return { kind: 'begun', day }
  }
  if (reservation !== undefined) void days.letGo(reservation)
  if (begun.kind === 'replay') return { kind: 'replay' }
  throw errorOf(begun, hold, tools)
}

/** Reserves money and writes the intent like `beginTask`, with the same refusals, and then undoes both. */
export async function rehearseTask({ task, hold, groupIds }: TaskDraft, tools: RehearseTools): Promise<void> {
  const { tasks, days, calendar, clock } = tools
  const reservation = await days.reserve(hold.userId, hold.amountMicros)
  const day = reservation?.day ?? calendar.dayAt(clock.nowMs())
  let begun: Begun
  try {
    const work = { task, hold: { ...hold, day }, groupIds }
    begun = await tasks.begin({ ...work, idempotency: undefined, isRehearsal: true })
  } finally {
    if (reservation !== undefined) await days.letGo(reservation)
  }
  if (begun.kind !== 'begun' && begun.kind !== 'replay') throw errorOf(begun, hold, tools)
}

type NotBegun = Exclude<Begun, { kind: 'begun' | 'replay' }>

function errorOf(begun: NotBegun, { amountMicros }: TaskDraft['hold'], time: BudgetTime): ApiError {
  if (begun.kind !== 'insufficient-balance') return API_ERRORS[begun.kind](time)
  const { availableMicros } = begun
  return moneyRefused('insufficient_balance', time, { neededMicros: amountMicros, availableMicros })
}

const API_ERRORS: Record<
  Exclude<NotBegun['kind'], 'insufficient-balance'>,
  (time: BudgetTime) => ApiError
> = {
  'quote-used': () =>
    new ApiError('quote_not_found', { param: 'quote_id', message: 'This quote was used before.' }),
  'group-gone': () =>
    new ApiError('asset_not_usable', { message: 'An asset of this request was erased a moment ago.' }),
  'budget-exceeded': (time) => moneyRefused('budget_exceeded', time),
  'funds-in-use': () => new ApiError('funds_in_use'),
  'organization-disabled': () => new ApiError('organization_disabled'),
  'in-progress': () => new ApiError('idempotency_key_in_use'),
  'other-body': () => new ApiError('idempotency_key_reused'),
}
