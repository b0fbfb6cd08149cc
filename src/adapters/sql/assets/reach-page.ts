/** How to come to a page: from which end, over how many rows, and how many are then on it. */
export interface PageReach {
  fromEnd: boolean
  offset: number
  limit: number
}

/** Stepping over rows is what a deep page costs, so that one in the second half is reached from the end. */
export function reachPage({
  offset,
  limit,
  totalCount,
}: {
  offset: number
  limit: number
  totalCount: number
}): PageReach {
  const onPage = Math.min(limit, totalCount - offset)
  const after = totalCount - offset - onPage
  return after < offset
    ? { fromEnd: true, offset: after, limit: onPage }
    : { fromEnd: false, offset, limit: onPage }
}
