export interface SlotShares {
  /** The most that one organization may have. */
  each: number
  /** The last slots: only an organization that has none gets one of them. */
  reserved: number
}

/**
 * Divides slots among organizations whose number is not known. One organization leaves `1 / leftPart` of them, and most of
 * that is reserved for organizations that have none: any two that take all they can still leave room for the others.
 */
export function sharesOf(slots: number, leftPart: number): SlotShares {
  const left = Math.floor(slots / leftPart)
  return { each: slots - left, reserved: Math.ceil((left * 3) / 4) }
}
