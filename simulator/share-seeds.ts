import { type ChildProcess, fork } from 'node:child_process'
import type { SeedResult } from './tally.ts'

/**
 * Runs the seeds in several processes, each with every n-th seed. An error of `onResult`, or a process that ends too
 * early, ends all processes.
 */
export async function shareSeeds({
  program,
  options,
  first,
  count,
  processes,
  stopped,
  onResult,
}: {
  program: string
  /** Options of every process beside its share. */
  options: readonly string[]
  first: number
  count: number
  processes: number
  /** Rejects to end the run, and never resolves. */
  stopped: Promise<never>
  /** Throws to end the run. */
  onResult(result: SeedResult): void
}): Promise<void> {
  const children: ChildProcess[] = []
  try {
    const shares = Promise.all(
      Array.from({ length: Math.min(processes, count) }, (_, place) => {
        const seeds = Math.ceil((count - place) / processes)
        const share = ['--seed', `${first + place}`, '--seeds', `${seeds}`, '--every', `${processes}`]
        const child = fork(program, [...options, ...share, '--tells-parent'])
        children.push(child)
        return listenTo(child, seeds, onResult)
      }),
    )
    await Promise.race([shares, stopped])
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

function listenTo(child: ChildProcess, seeds: number, onResult: (result: SeedResult) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let results = 0
  child.on('message', (result: SeedResult) => {
    try {
      onResult(result)
    } catch (error) {
      reject(error)
    }
    results += 1
    if (results === seeds) resolve()
  })
  child.on('error', reject)
  child.on('exit', (code) =>
    reject(new Error(`a process ended with ${code} after ${results} of its ${seeds} seeds`)),
  )
  return promise
}
