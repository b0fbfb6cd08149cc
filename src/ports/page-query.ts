import type { TaskStatus } from '../domain/video/task.ts'

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

/** What an operator narrows the list of tasks by. */
export interface TaskFilter extends PageQuery {
  status?: TaskStatus | undefined
  model?: string | undefined
  createdFromMs?: number | undefined
  /** Exclusive. */
  createdToMs?: number | undefined
  /** Only tasks that show the verified person of this group. */
  groupId?: string | undefined
  /** Only tasks that have not ended and of which nothing was heard since then, or that are set aside. */
  silentSinceMs?: number | undefined
}
