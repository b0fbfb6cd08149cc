import { InvalidArgumentError } from 'commander'

/** A whole number from 1 on. */
export function parseCount({ max }: { max: number }): (text: string) => number {
  return (text) => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : 0
    if (count < 1 || count > max) throw new InvalidArgumentError(`Use a whole number from 1 to ${max}.`)
    return count
  }
}

export const parseRequestsPerMinute = parseCount({ max: 10_000_000 })
