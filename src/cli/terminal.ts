/** Where a command writes: results on one side, everything said about them on the other. */
export interface Terminal {
  result(text: string): void
  notice(text: string): void
}
