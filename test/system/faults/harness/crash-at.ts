import type { Checkpoint } from '../../../../src/ports/checkpoint.ts'

/**
 * Variable with the crash plan of a child process (not `SLUICE_...`: those are settings): `<checkpoint>` or
 * `<checkpoint>#<n>`.
 */
export const CRASH_AT_VARIABLE = 'FAULT_CRASH_AT'

/** The plan of this process's environment; without one, nothing ever crashes. */
export function crashAtFromEnvironment(): Checkpoint {
  return crashAt(process.env[CRASH_AT_VARIABLE] ?? '')
}

/** A checkpoint that kills its own process when the planned point is reached for the n-th time. */
export function crashAt(plan: string): Checkpoint {
  const [planned = '', count = '1'] = plan.split('#')
  if (!/^[1-9]\d*$/.test(count))
    throw new Error(`crash plan "${plan}": the part after # must be a number from 1`)
  let remaining = Number(count)
  return (name) => {
    if (name !== planned) return
    remaining -= 1
    if (remaining > 0) return
    process.kill(process.pid, 'SIGKILL')
    // The kernel may take a moment; not one more step may happen meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
}
