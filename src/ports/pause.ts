/** Resolves after that long. It keeps no process alive. */
export type Pause = (ms: number) => Promise<void>
