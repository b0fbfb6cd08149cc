/** Position of a signed receipt in the chain of its organization. */
export interface ChainLink {
  organizationId: string
  number: number
  /** Hash of the receipt before; null for the first. */
  previous: string | null
  hash: string
}

export type ChainFault = { organizationId: string } & (
  | { kind: 'missing'; from: number; to: number }
  /** The receipt follows a later one, or comes twice. */
  | { kind: 'out-of-order'; number: number }
  /** The hash of the receipt before does not match. */
  | { kind: 'not-linked'; number: number }
)

/** Checks receipts in the order of the file. The file may begin and end anywhere in a chain, but may have no gap. */
export function checkChain(links: readonly ChainLink[]): ChainFault[] {
  return [...Map.groupBy(links, ({ organizationId }) => organizationId).values()].flatMap(checkOne)
}

function checkOne(links: readonly ChainLink[]): ChainFault[] {
  return [...findMisplaced(links), ...findBreaks(links.toSorted((one, other) => one.number - other.number))]
}

function findMisplaced(links: readonly ChainLink[]): ChainFault[] {
  let last = 0
  return links.flatMap(({ organizationId, number }): ChainFault[] => {
    if (number <= last) return [{ kind: 'out-of-order', organizationId, number }]
    last = number
    return []
  })
}

function findBreaks(sorted: readonly ChainLink[]): ChainFault[] {
  return sorted.flatMap((link, index): ChainFault[] => {
    const { organizationId, number, previous } = link
    const before = sorted[index - 1]
    const isFirst = number === 1
    if (isFirst !== (previous === null)) return [{ kind: 'not-linked', organizationId, number }]
    if (before === undefined || before.number === number) return []
    if (before.number < number - 1)
      return [{ kind: 'missing', organizationId, from: before.number + 1, to: number - 1 }]
    return previous === before.hash ? [] : [{ kind: 'not-linked', organizationId, number }]
  })
}
