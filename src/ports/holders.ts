/** Organization, or kind of caller, that the running code works for. Engines divide scarce resources among holders. */
export interface Holders {
  /** Everything that `work` begins has this holder, also after its awaits. */
  run(holder: string, work: () => void): void
  /** Empty: work of the gateway itself. */
  current(): string
}
