/** How one claim is shared out between the organizations that have something due. */
export interface ClaimShare {
  /** An organization gets at most so many, together with those that it has in hand already. */
  perOrganizationMax: number
  /** What this process works on, by organization. */
  inHand: Readonly<Record<string, number>>
  /** What the claim before gave as `more`, else empty: the organizations behind this one get theirs first. */
  after: string
}

/** Something may still be due: where the next claim goes on. undefined: nothing is, except what had its share. */
export type More = string | undefined

/** What is due later than `farthestMs` becomes due at `nowMs`: no pause is that long, so a clock went back. */
export interface Far {
  nowMs: number
  farthestMs: number
}
