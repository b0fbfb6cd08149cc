import type { TaskStatus } from '../domain/video/task.ts'

/** One page of rows for an operator, the newest first: ids sort by time. */
export interface PageQuery {
  /** Id of the last row of the page before; left out on the first. */
  after?: string | undefined
  /** Left out: every organization. */
  organizationId?: string | undefined
  /** Left out: every row. */
  id?: string | undefined
  /** Selects rows that were created then or later. */
  fromMs?: number | undefined
  /** Exclusive. */
  toMs?: number | undefined
  limit: number
}

export interface OrganizationFilter extends PageQuery {
  /** Prefix of the name, in any case, or of the id. */
  search?: string | undefined
  /** Selects these ids, at most 100. */
  ids?: readonly string[] | undefined
}

export interface TaskFilter extends PageQuery {
  status?: TaskStatus | undefined
  model?: string | undefined
  /** Selects tasks that show the verified person of this group. */
  groupId?: string | undefined
  /** Selects tasks that have not ended and had no news since then, or that are set aside. */
  silentSinceMs?: number | undefined
}
