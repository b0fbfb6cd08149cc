import { Refusal } from '../../domain/refusal.ts'

/** Wider than the ids we make; beyond it nothing can be one, and the store need not be asked. */
const ID = /^[\w-]{1,64}$/

/** The id in the path. One that cannot be is as unknown as one that is not there. */
export function parseTaskId(params: unknown): string {
  const { task_id: id }: { task_id?: unknown } = Object(params)
  if (typeof id === 'string' && ID.test(id)) return id
  throw new Refusal('task_not_found')
}
