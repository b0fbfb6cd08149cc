import type { SandboxClock } from '../clock.ts'
import type { ScriptWord } from './script-words.ts'

/** End of a task. `gone`: the vendor forgets the task and answers 404. */
export type TaskEnding = 'succeeded' | 'failed' | 'moderated' | 'bad-media' | 'expired' | 'cancelled' | 'gone'

export type TaskStage = 'queued' | 'running' | TaskEnding

export interface TaskStep {
  stage: TaskStage
  /** Real time of its beginning. */
  atMs: number
}

/** Plan of a task's life, which its id holds. */
export interface Plan {
  startMs: number
  videoSeconds: number
  words: readonly ScriptWord[]
  /** Real seconds after which the vendor gives up; undefined: it never does. */
  expiresAfterSeconds: number | undefined
}

const QUEUED_MS = 20_000
const RUNNING_MS = 60_000
const RUNNING_MS_PER_VIDEO_SECOND = 4_000
const SLOW_FACTOR = 10
const LATE_MS = 60_000
/** Duration of `[late]` for a vendor without a deadline. */
const LATE_WITHOUT_DEADLINE_MS = 3_600_000

/** Every step of a task's life, in order: queued, running, and an end unless it is stuck. */
export function lifeOf(plan: Plan, clock: SandboxClock): TaskStep[] {
  const { startMs, words, expiresAfterSeconds } = plan
  const has = (word: ScriptWord) => words.includes(word)
  const factor = has('instant') ? 0 : has('slow') ? SLOW_FACTOR : 1
  const runningAtMs = startMs + clock.realMs(QUEUED_MS * factor)
  const steps: TaskStep[] = [
    { stage: 'queued', atMs: startMs },
    { stage: 'running', atMs: runningAtMs },
  ]
  if (has('stuck')) return steps

  const deadlineMs = startMs + (expiresAfterSeconds ?? Number.POSITIVE_INFINITY) * 1_000
  if (has('late')) return [...steps, { stage: 'succeeded', atMs: lateEnd(plan, clock) }]
  const stage = endingOf(words)
  const workMs = (RUNNING_MS + plan.videoSeconds * RUNNING_MS_PER_VIDEO_SECOND) * factor
  const endsAtMs = runningAtMs + clock.realMs(stage === 'succeeded' ? workMs : workMs / 2)
  if (endsAtMs <= deadlineMs) return [...steps, { stage, atMs: endsAtMs }]
  return [...steps.filter(({ atMs }) => atMs < deadlineMs), { stage: 'expired', atMs: deadlineMs }]
}

/** The step a task has reached by now. */
export function stepAt(steps: readonly TaskStep[], nowMs: number): TaskStep {
  const [first = { stage: 'queued' as const, atMs: nowMs }] = steps
  return steps.findLast(({ atMs }) => atMs <= nowMs) ?? first
}

function lateEnd({ startMs, expiresAfterSeconds }: Plan, clock: SandboxClock): number {
  if (expiresAfterSeconds === undefined) return startMs + clock.realMs(LATE_WITHOUT_DEADLINE_MS)
  return startMs + expiresAfterSeconds * 1_000 + clock.realMs(LATE_MS)
}

const ENDINGS: readonly (readonly [ScriptWord, TaskEnding])[] = [
  ['fail', 'failed'],
  ['moderate-late', 'moderated'],
  ['bad-media', 'bad-media'],
  ['expire', 'expired'],
  ['cancelled', 'cancelled'],
  ['gone', 'gone'],
]

function endingOf(words: readonly ScriptWord[]): TaskEnding {
  return ENDINGS.find(([word]) => words.includes(word))?.[1] ?? 'succeeded'
}
