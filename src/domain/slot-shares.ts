export interface SlotShares {
  /** Maximum number of slots of one organization. */
  each: number
  /** The last slots: only an organization without any gets one of them. */
  reserved: number
}

/**
 * Divides slots among an unknown number of organizations. One organization leaves `1 / leftPart` of the slots, most of
 * which are reserved for organizations without any. Even two organizations that take all they can leave room for others.
 */
export function sharesOf(slots: number, leftPart: number): SlotShares {
  const left = Math.floor(slots / leftPart)
  return { each: slots - left, reserved: Math.ceil((left * 3) / 4) }
}
