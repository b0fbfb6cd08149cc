/** A temperature or `top_p` of 1 is what a vendor takes anyway, and models that reason refuse even to hear it. */
export function unlessDefault(value: number | undefined): number | undefined {
  return value === 1 ? undefined : value
}
