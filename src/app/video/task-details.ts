import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { OwnTasks, TaskDetails, TaskDetailsStore } from '../../ports/task-details.ts'
import type { OwnLinks } from '../media/own-links.ts'
import { viewOf } from './encrypted.ts'

/** A task with its order, for client formats that repeat the order in every reply. */
export interface DetailedTask extends TaskView {
  /** Unit of its price, which is the same for all models of a family. */
  unit: TaskDetails['unit']
  /** Fields of a create call with the defaults of the price; empty for a very old task. */
  order: JsonObject
  /** Tokens that the vendor measured; undefined: it has not reported them. */
  completionTokens: number | undefined
}

/** Adds the details to a task that the caller may see. */
export type DetailTask = (task: TaskView) => Promise<DetailedTask>

type TaskOwner = Pick<Caller, 'keyId' | 'organizationId'>
type TaskFields = Omit<OwnTasks, keyof TaskOwner>

export type ListDetailedTasks = (query: {
  caller: TaskOwner
  filter: TaskFields
  order: 'asc' | 'desc'
  /** Task before the first one of the page; undefined: the page begins after `skip` tasks. */
  afterId?: string | undefined
  skip?: number
  limit: number
}) => Promise<{ tasks: DetailedTask[]; hasMore: boolean }>

export type CountTasks = (query: { caller: TaskOwner; filter: TaskFields; max: number }) => Promise<number>

export interface TaskDetailsUseCases {
  detailTask: DetailTask
  listDetailedTasks: ListDetailedTasks
  countTasks: CountTasks
}

/** Reads stored data only. */
export function taskDetails(input: {
  tasks: TaskDetailsStore
  secrets: Secrets
  /** Left out: no files are kept. */
  links?: OwnLinks | undefined
}): TaskDetailsUseCases {
  const { tasks, secrets, links } = input
  return {
    async detailTask(task) {
      const details = await tasks.findDetails(task.id)
      if (details === undefined) throw new ApiError('task_not_found')
      return detailed(task, details)
    },
    async listDetailedTasks({ caller, filter, skip = 0, limit, afterId, order }) {
      const query = { ...filter, ...ownerOf(caller), order, afterId, skip, limit: limit + 1 }
      const found = await tasks.listDetailed(query)
      if (found === undefined) {
        const message = 'after must be the id of a video of this API key.'
        throw new ApiError('invalid_cursor', { param: 'after', message })
      }
      const rows = found.slice(0, limit)
      const own = await links?.(rows.map(({ id }) => id))
      return {
        tasks: rows.map((row) =>
          detailed(viewOf({ ...row, metadata: '{}' }, secrets, own?.get(row.id)), row),
        ),
        hasMore: found.length > limit,
      }
    },
    countTasks: ({ caller, filter, max }) => tasks.countOwn({ ...filter, ...ownerOf(caller), max }),
  }
}

function ownerOf({ keyId, organizationId }: TaskOwner): TaskOwner {
  return { keyId, organizationId }
}

function detailed(task: TaskView, { unit, ordered, measured }: TaskDetails): DetailedTask {
  const { order } = objectIn(ordered)
  const { completionTokens } = objectIn(measured)
  return {
    ...task,
    unit,
    order: isJsonObject(order) ? order : {},
    completionTokens: typeof completionTokens === 'number' ? completionTokens : undefined,
  }
}

function objectIn(text: string | null): JsonObject {
  const value: unknown = text === null ? undefined : JSON.parse(text)
  return isJsonObject(value) ? value : {}
}
