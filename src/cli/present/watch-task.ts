import type { TaskReport } from '../../app/video/task-report.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TaskStatus } from '../../domain/video/task.ts'
import { formatDuration } from './formats.ts'
import type { Screen } from './screen.ts'

const INTERVAL_MS = 1_000

/** Interval of a log's lines while the status stays the same. */
const REPEAT_MS = 60_000

/**
 * Follows a task until it has ended, with one line that shows its state. Vendors report no progress in
 * percent, so the line shows the status, and the elapsed time against the maximum.
 */
export async function watchTask(input: {
  show(): Promise<TaskReport>
  openScreen(): Screen
  /** true: waits without drawing. */
  silent: boolean
}): Promise<TaskReport> {
  const { show, openScreen, silent } = input
  using screen = openScreen()
  let task = await show()
  let drawn = ''
  while (!task.hasEnded) {
    const news = `${task.status} ${Math.floor(task.ageMs / REPEAT_MS)}`
    if (!silent && (screen.isLive || news !== drawn)) screen.draw(progressLine(task))
    drawn = news
    await screen.pause(INTERVAL_MS)
    task = (await unlessStoreIsUnreachable(show)) ?? task
  }
  return task
}

function progressLine({ id, status, ageMs, deadlineAtMs, createdAtMs }: TaskReport): string {
  const most = formatDuration(deadlineAtMs - createdAtMs)
  // The id comes last, because a narrow screen cuts the end of the line.
  return `${status}: ${STATUS_TEXTS[status]}, ${formatDuration(ageMs)} of at most ${most}  ${id}`
}

const STATUS_TEXTS: Readonly<Record<TaskStatus, string>> = {
  submitting: 'the vendor has not answered yet',
  queued: 'waits at the vendor',
  running: 'is being made',
  succeeded: 'is done',
  failed: 'has failed',
  cancelled: 'was cancelled',
}

/** Returns undefined when the store is unavailable, so that a restart of the store does not end the watch. */
async function unlessStoreIsUnreachable(show: () => Promise<TaskReport>): Promise<TaskReport | undefined> {
  try {
    return await show()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'store_unavailable') return undefined
    throw error
  }
}
