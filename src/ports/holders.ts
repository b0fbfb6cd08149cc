/** Organization, or kind of caller, that the running code works for: engines share scarce resources by it. */
export interface Holders {
  /** Everything that `work` begins has this holder, also after its awaits. */
  run(holder: string, work: () => void): void
  /** Empty: work of the gateway itself. */
  current(): string
}
