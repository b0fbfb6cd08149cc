import { jsonReply, type SandboxReply, type SandboxRequest } from '../part.ts'
import { errorReply, invalidParameter } from './error-reply.ts'
import type { TaskDesk } from './task-desk.ts'
import { statusOf, taskObject } from './task-object.ts'

const PAGE_SIZE_MAX = 500

/** The tasks named in the query, else those made since the start, newest first. */
export function listTasks(desk: TaskDesk, { query, clock, url }: SandboxRequest): SandboxReply {
  const pageNumber = readCount(query.get('page_num'), { otherwise: 1, max: PAGE_SIZE_MAX })
  const pageSize = readCount(query.get('page_size'), { otherwise: 10, max: PAGE_SIZE_MAX })
  if (pageNumber === undefined) return errorReply(invalidParameter('page_num', OUT_OF_BOUNDS))
  if (pageSize === undefined) return errorReply(invalidParameter('page_size', OUT_OF_BOUNDS))

  const named = query.getAll('filter.task_ids')
  const status = query.get('filter.status')
  const found = (named.length > 0 ? named : desk.created.ids())
    .map((id) => desk.find(id, clock))
    .filter((entry) => entry !== undefined)
    .filter(({ task, step }) => status === null || statusOf(task, step.stage) === status)
    .toSorted((one, other) => other.task.startMs - one.task.startMs)
  const page = found.slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
  return jsonReply(200, {
    total: found.length,
    items: page.map(({ task, step }) => taskObject(task, { step, clock, url })),
  })
}

const OUT_OF_BOUNDS = `The page must be a number from 1 to ${PAGE_SIZE_MAX}.`

function readCount(
  text: string | null,
  { otherwise, max }: { otherwise: number; max: number },
): number | undefined {
  if (text === null) return otherwise
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= max ? count : undefined
}
