import type { Sweep } from '../app/video/sweep-tasks.ts'
import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

/** Each vendor's sweep has a loop of its own. */
export function startTaskSweeper({
  sweeps,
  sweepIntervalMs,
  log,
}: {
  sweeps: readonly Sweep[]
  sweepIntervalMs: number
  log: Log
}): Loop {
  const loops = sweeps.map((sweep) =>
    startLoop({
      pass: () => sweep.pass(),
      pauseMs: sweepIntervalMs,
      log,
      failure: 'task.claim_failed',
    }),
  )
  return {
    async stop() {
      const loopsEnd = loops.map((loop) => loop.stop())
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
      await Promise.all(loopsEnd)
      // A claim that was under way when they stopped.
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
    },
  }
}
