/** Access to a page: from which end, the rows to skip, and the rows on it. */
export interface PageReach {
  fromEnd: boolean
  offset: number
  limit: number
}

/** A page in the second half is read from the end, because skipping rows is the cost of a deep page. */
export function reachPage(input: { offset: number; limit: number; totalCount: number }): PageReach {
  const { offset, limit, totalCount } = input
  const onPage = Math.min(limit, totalCount - offset)
  const after = totalCount - offset - onPage
  return after < offset
    ? { fromEnd: true, offset: after, limit: onPage }
    : { fromEnd: false, offset, limit: onPage }
}
