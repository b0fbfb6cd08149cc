import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU time of a process so far, all its threads together, in the nanoseconds of the scheduler. Only Linux has it;
 * elsewhere it is NaN rather than guessed.
 */
export function cpuSecondsOf(pid: number): number {
  let nanoseconds = 0
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0])
    }
  } catch {
    return NaN
  }
  return nanoseconds / 1e9
}

export function residentMegabytesOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB/m)?.[1]) / 1024
  } catch {
    return NaN
  }
}
