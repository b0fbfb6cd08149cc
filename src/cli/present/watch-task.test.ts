import { expect, test } from 'vitest'
import { FAILED_TASK, RUNNING_TASK } from '../../../test/system/cli/sample-tasks.ts'
import type { TaskReport } from '../../app/video/task-report.ts'
import { ApiError } from '../../domain/api-error.ts'
import { Interrupted, type Screen } from './screen.ts'
import { watchTask } from './watch-task.ts'

const QUEUED: TaskReport = { ...RUNNING_TASK, status: 'queued', ageMs: 0 }
const LATER: TaskReport = { ...RUNNING_TASK, ageMs: 66_400 }
const NEXT_MINUTE: TaskReport = { ...RUNNING_TASK, ageMs: 120_000 }
const AWAY = new ApiError('store_unavailable')

/** Runs `watchTask` against a store that gives `answers`. Returns what the screen showed and how the watch ended. */
async function watch(
  answers: readonly (TaskReport | Error)[],
  { isLive, silent = false, pauses = 100 }: { isLive: boolean; silent?: boolean; pauses?: number },
) {
  const seen: (string | number)[] = []
  const waiting = [...answers]
  let left = pauses
  const screen: Screen = {
    isLive,
    draw: (line) => void seen.push(line),
    async pause(spanMs) {
      if (left-- === 0) throw new Interrupted()
      seen.push(spanMs)
    },
    [Symbol.dispose]: () => void seen.push('let go'),
  }
  const outcome = await watchTask({
    show: async () => {
      const answer = waiting.shift()
      if (answer === undefined || answer instanceof Error) throw answer
      return answer
    },
    openScreen: () => screen,
    silent,
  }).catch((error: unknown) => error)
  return { seen, outcome }
}

const QUEUED_LINE = 'queued: waits at the vendor, 0 s of at most 2 d  task_1'
const RUNNING_LINE = 'running: is being made, 1 min 5 s of at most 2 d  task_1'
const LATER_LINE = 'running: is being made, 1 min 6 s of at most 2 d  task_1'

test('a person sees the line change every second until the task has ended', async () => {
  expect(await watch([QUEUED, RUNNING_TASK, LATER, FAILED_TASK], { isLive: true })).toEqual({
    outcome: FAILED_TASK,
    seen: [QUEUED_LINE, 1_000, RUNNING_LINE, 1_000, LATER_LINE, 1_000, 'let go'],
  })
})

test('a log gets a line for each change, and one per minute', async () => {
  const answers = [QUEUED, QUEUED, RUNNING_TASK, LATER, NEXT_MINUTE, FAILED_TASK]
  const { seen } = await watch(answers, { isLive: false })
  expect(seen.filter((entry) => typeof entry === 'string')).toEqual([
    QUEUED_LINE,
    RUNNING_LINE,
    'running: is being made, 2 min of at most 2 d  task_1',
    'let go',
  ])
})

test('silently it only waits', async () => {
  expect(await watch([RUNNING_TASK, FAILED_TASK], { isLive: true, silent: true })).toEqual({
    outcome: FAILED_TASK,
    seen: [1_000, 'let go'],
  })
})

test('a store that is unreachable for a while does not end the watch', async () => {
  expect((await watch([RUNNING_TASK, AWAY, AWAY, FAILED_TASK], { isLive: true })).outcome).toBe(FAILED_TASK)
})

test('a store that is unreachable from the start is reported at once', async () => {
  expect(await watch([AWAY], { isLive: true })).toEqual({ outcome: AWAY, seen: ['let go'] })
})

test('a task that no longer exists ends the watch, because its vendor has refused it', async () => {
  const gone = new ApiError('not_found')
  expect((await watch([QUEUED, gone], { isLive: false })).outcome).toBe(gone)
})

test('Ctrl-C ends the watch and removes the line', async () => {
  const { seen, outcome } = await watch([QUEUED, QUEUED], { isLive: true, pauses: 1 })
  expect(outcome).toBeInstanceOf(Interrupted)
  expect(seen.at(-1)).toBe('let go')
})
