/** For a command that goes on for a while: a line that changes in place, and Ctrl-C as a way to leave. */
export interface Screen extends Disposable {
  /** Whether a person sees the line change in place; elsewhere each one is a line of its own. */
  readonly isLive: boolean
  draw(line: string): void
  /** Rejects with `Interrupted` once somebody has pressed Ctrl-C, also before. */
  pause(spanMs: number): Promise<void>
  /** Takes the live line away, so that results stand alone, and leaves Ctrl-C to the system again. */
  [Symbol.dispose](): void
}

/** Somebody pressed Ctrl-C: nothing went wrong, and there is nothing to explain. */
export class Interrupted extends Error {}
