/** One page of rows for an operator, the newest first: ids sort by time. */
export interface PageQuery {
  /** The id of the last row of the page before; left out on the first. */
  after?: string | undefined
  /** Left out: of every organization. */
  organizationId?: string | undefined
  /** Left out: every row. */
  id?: string | undefined
  limit: number
}

export interface OrganizationFilter extends PageQuery {
  /** Only those whose name begins with it, in any case, or whose id does. */
  search?: string | undefined
  /** Only these, at most 100. */
  ids?: readonly string[] | undefined
}
