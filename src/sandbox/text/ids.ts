import { randomBytes } from 'node:crypto'

/** Ids that no other reply has, at the price of a counter. */
export function createIds(): (prefix: string) => string {
  const start = randomBytes(8).toString('hex')
  let last = 0
  return (prefix) => {
    last += 1
    return `${prefix}_${start}${last.toString(16).padStart(8, '0')}`
  }
}
