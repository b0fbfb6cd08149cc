import { compareWays } from './text/compare-ways.ts'

/** Streams of 100 events that the upstream sends all at once. */
export function textStream(): Promise<void> {
  return compareWays({ stream: true })
}
