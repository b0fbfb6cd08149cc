import { compareWays } from './text/compare-ways.ts'

/** Whole replies of 1.5 KB that the upstream gives at once. */
export function textWhole(): Promise<void> {
  return compareWays({ stream: false })
}
