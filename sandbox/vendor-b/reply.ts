import { randomUUID } from 'node:crypto'
import { jsonReply, type SandboxReply } from '../part.ts'

export interface VendorBAnswer {
  /** HTTP status; left out: 200, also for codes that HTTP does not know. */
  httpStatus?: number
  code: number
  status?: string
  msg: string
  taskId?: string
  data?: Readonly<Record<string, unknown>> | null
}

/** The one envelope of this vendor. */
export function reply({
  httpStatus = 200,
  code,
  status,
  msg,
  taskId = '',
  data = null,
}: VendorBAnswer): SandboxReply {
  return jsonReply(httpStatus, { task_id: taskId, msg, code, status, data, trace_id: randomUUID() })
}

/** One problem of a field, in the words of this vendor's framework. */
export interface Detail {
  loc: readonly (string | number)[]
  msg: string
  type: string
}

export function unprocessable(detail: readonly Detail[]): SandboxReply {
  return jsonReply(422, { detail })
}
