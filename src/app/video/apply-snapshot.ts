import { micros } from '../../domain/billing/micros.ts'
import { CLIP_KINDS, LINK_OF } from '../../domain/video/clip.ts'
import {
  costOfTask,
  costOfTerms,
  costTermsOf,
  lossByQuote,
  videoMsOf,
} from '../../domain/video/cost-of-task.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { Checkpoint } from '../../ports/checkpoint.ts'
import type { DayMove } from '../../ports/ledger.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { NewId } from '../../ports/secrets.ts'
import type { Moved, StoredTask, TaskMove, TaskStore, TaskWithContent } from '../../ports/tasks.ts'
import type { Runtime } from '../runtime.ts'
import { encryptContent } from './encrypted.ts'
import { type HandOverFailedTools, handOverFailed } from './hand-over-failed.ts'

/**
 * Stores a vendor's report about a task: its answer to a create call or a poll, or its notice. Reports may come twice,
 * late and out of order. The store moves the task only forward, and the move that ends the task settles it in the same
 * transaction. A vendor's failure does not end the task while a stand-in is left. Returns the task after the move;
 * undefined: the store no longer has it.
 */
export type ApplySnapshot = (
  task: StoredTask,
  snapshot: Snapshot,
  how?: {
    audit?: NewAudit | undefined
    /** Whether a failure ends the task although a stand-in is left: the task is being deleted or its attempt failed. */
    isFinal?: boolean
    /** Reason why the vendor rejected the current attempt; undefined: it accepted the attempt. */
    refusal?: string
  },
) => Promise<TaskWithContent | undefined>

export interface ApplySnapshotTools extends Pick<Runtime, 'clock' | 'log' | 'newId' | 'secrets'> {
  tasks: Pick<TaskStore, 'move'>
  metrics: Metrics
  /** Only crash tests act on it. */
  checkpoint: Checkpoint
  /** Whether finished videos are copied. Left out: they are not. */
  keepsMedia?: boolean
  /** Updates the user's day when the end of a task changes it. Never rejects. */
  applyDayMove(move: DayMove): Promise<void>
  /** Called when a callback row was written and can be delivered. */
  onCallbackDue(): void
}

export function applySnapshot(tools: ApplySnapshotTools & HandOverFailedTools): ApplySnapshot {
  return async (task, snapshot, { audit, isFinal = false, refusal } = {}) => {
    const handed = isFinal ? undefined : await handOverFailed(task, snapshot, tools)
    if (handed !== undefined) return handed
    const move: TaskMove = { ...moveTo(task, snapshot, tools), audit, refusal }
    if (hasEnded(move.status)) tools.checkpoint('settle.before')
    const moved = await tools.tasks.move(move)
    if (moved.kind === 'no-task') return undefined
    if (moved.kind === 'moved') afterCommit(moved, move, tools)
    // The row is unchanged, because the task had ended, was further ahead, or has a newer attempt.
    else if (move.status === 'succeeded') logLateSuccess(moved.task, tools.log)
    return moved.task
  }
}

/** Builds the move for a snapshot. The cost and the ids of entry and callback are used only if the move ends the task. */
export function moveTo(
  task: Pick<StoredTask, 'id' | 'attempt' | 'pricing'>,
  snapshot: Snapshot,
  input: Pick<ApplySnapshotTools, 'secrets' | 'newId' | 'clock' | 'keepsMedia'>,
): TaskMove {
  const { secrets, newId, clock, keepsMedia } = input
  const { status, content, error, measured } = snapshot
  // For a video of a stand-in, the client pays the estimate at the requested model's price, not the stand-in's measure.
  const billed = task.attempt === 1 ? measured : {}
  return {
    id: task.id,
    attempt: task.attempt,
    status,
    encryptedContent: content === undefined ? null : encryptContent(content, task.id, secrets),
    error: error ?? null,
    atMs: clock.nowMs(),
    measured,
    cost: costTermsOf(task.pricing, billed),
    videoMs: videoMsOf(task.pricing, measured),
    entryId: newId('ent'),
    callbackId: newId('msg'),
    ...(keepsMedia === true && status === 'succeeded' && { clips: clipsOf(content, newId) }),
  }
}

function clipsOf(content: Snapshot['content'], newId: NewId): NonNullable<TaskMove['clips']> {
  return CLIP_KINDS.filter((kind) => typeof content?.[LINK_OF[kind]] === 'string').map((kind) => ({
    id: newId('clip'),
    kind,
  }))
}

/** The vendor made the video and bills it, but the task had ended otherwise. That end stands, and the operator bears the loss. */
function logLateSuccess({ id, organizationId, provider, status, error }: StoredTask, log: Log): void {
  if (status === 'succeeded') return
  const reason = error?.code ?? status
  log.warn('task.late_success', { taskId: id, organizationId, provider, reason })
}

/** If the process dies here, the day is counted again from the store, and the stored callback is delivered later. */
export function afterCommit(
  moved: Extract<Moved, { kind: 'moved' }>,
  move: Pick<TaskMove, 'cost'>,
  tools: Omit<ApplySnapshotTools, 'tasks'>,
): void {
  const { task, ended, day } = moved
  const isCharged = task.status === 'succeeded'
  const lossMicros = micros(moved.lossMicros + (isCharged ? lossByQuote(move.cost) : 0))
  if (!ended) return
  tools.checkpoint('settle.after')
  const costMicros = micros(isCharged ? costOfTerms(move.cost) - moved.lossMicros : 0)
  tools.metrics.taskEnded({ model: task.model, provider: task.provider, status: task.status, costMicros })
  if (day !== undefined) void tools.applyDayMove(day)
  if (isCharged) noteExceeded(task, move, tools)
  if (lossMicros > 0) {
    tools.metrics.moneyLost(lossMicros)
    tools.log.warn('task.loss', { taskId: task.id, organizationId: task.organizationId, count: lossMicros })
  }
  if (task.owesCallback) tools.onCallbackDue()
}

/** Reports a task that cost more than its hold. The balance paid the difference, as far as it could. */
function noteExceeded(
  { id, organizationId, provider, pricing }: StoredTask,
  { cost }: Pick<TaskMove, 'cost'>,
  { metrics, log }: Pick<ApplySnapshotTools, 'metrics' | 'log'>,
): void {
  const beyond = costOfTerms(cost) - costOfTask(pricing, {})
  if (beyond <= 0) return
  metrics.holdExceeded()
  log.warn('task.above_hold', { taskId: id, organizationId, provider, count: beyond })
}
