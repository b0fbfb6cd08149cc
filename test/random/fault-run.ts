import { appendFileSync } from 'node:fs'

/** Whether this is a run of `npm run faults`, with the full numbers of rounds and crashes. */
export function isWholeRun(): boolean {
  return process.env.TEST_FAULTS === 'whole'
}

/** Number of rounds: a slice in CI, the whole in `npm run faults`, or its `--rounds`. */
export function roundsOf({ slice, whole }: { slice: number; whole: number }): number {
  if (!isWholeRun()) return slice
  const wanted = Number(process.env.TEST_FAULT_ROUNDS)
  return wanted > 0 ? wanted : whole
}

/** Minutes of a long test. `npm run faults -- --only soak --soak-minutes 5` changes them. */
export function soakMinutes(usual: number): number {
  const wanted = Number(process.env.TEST_SOAK_MINUTES)
  return wanted > 0 ? wanted : usual
}

/** Reports a figure of a test: `npm run faults` writes it into `docs/reliability.md`. */
export function reportFigure(line: string): void {
  process.stdout.write(`${line}\n`)
  const file = process.env.TEST_FIGURES_FILE
  if (file !== undefined && file !== '') appendFileSync(file, `${line}\n`)
}
