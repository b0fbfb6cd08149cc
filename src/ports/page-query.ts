import type { TaskStatus } from '../domain/video/task.ts'

/** One page of rows for an operator, the newest first: ids sort by time. Filters that are left out select every row. */
export interface PageQuery {
  /** Id of the last row of the page before; left out on the first page. */
  after?: string | undefined
  organizationId?: string | undefined
  id?: string | undefined
  /** Inclusive. */
  fromMs?: number | undefined
  /** Exclusive. */
  toMs?: number | undefined
  limit: number
}

export interface OrganizationFilter extends PageQuery {
  /** Prefix of the name, in any case, or of the id. */
  search?: string | undefined
  /** At most 100 ids. */
  ids?: readonly string[] | undefined
}

export interface KeyFilter extends PageQuery {
  /** Part of the name, or of the first characters of the key, in any case. */
  search?: string | undefined
}

export interface TaskFilter extends PageQuery {
  status?: TaskStatus | undefined
  model?: string | undefined
  groupId?: string | undefined
  /** Selects open tasks that are set aside, or whose vendor has reported nothing since this time. */
  silentSinceMs?: number | undefined
}
