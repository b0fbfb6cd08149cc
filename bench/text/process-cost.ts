import { readFileSync } from 'node:fs'

/** Linux reports CPU time to programs in hundredths of a second, on every machine. */
const TICKS_PER_SECOND = 100

/** What a process has used so far, all its threads together. Linux tells; elsewhere it is NaN rather than guessed. */
export function cpuSecondsOf(pid: number): number {
  // The second field is the program's name in parentheses, which may hold anything.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

export function residentMegabytesOf(pid: number): number {
  return Number(read(`/proc/${pid}/status`).match(/^VmRSS:\s+(\d+) kB/m)?.[1]) / 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
