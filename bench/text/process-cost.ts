import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU time of a process so far, all its threads together or those with one name, in the nanoseconds of the scheduler.
 * Only Linux has it; elsewhere it is NaN rather than guessed.
 */
export function cpuSecondsOf(pid: number, threadName?: string): number {
  let nanoseconds = 0
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const isCounted = threadName === undefined || nameOf(pid, thread) === threadName
      if (!isCounted) continue
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0])
    }
  } catch {
    return NaN
  }
  return nanoseconds / 1e9
}

function nameOf(pid: number, thread: string): string {
  return readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trimEnd()
}

export function residentMegabytesOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB/m)?.[1]) / 1024
  } catch {
    return NaN
  }
}
