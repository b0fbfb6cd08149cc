import type { Screen } from './screen.ts'

/** Where a command writes: results on one side, everything said about them on the other. */
export interface Terminal {
  result(text: string): void
  notice(text: string): void
  /** On the side of what is said; whoever opens it lets go of it. */
  openScreen(): Screen
}
