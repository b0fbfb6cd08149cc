import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ApiError } from '../../domain/api-error.ts'
import { HEAVY_JOBS, type HeavyJobs } from '../../llm/body/heavy-jobs.ts'
import { type FromThread, plainApiError, type ToThread } from './messages.ts'

/** The thread that reads and converts heavy bodies: one message, one job, one answer. */
if (parentPort === null) throw new Error('This file is the body of a worker thread.')
const port = parentPort

/** Below the thread that serves all requests. Only Linux knows a priority of one thread. */
const PRIORITY = 5
try {
  if (process.platform === 'linux') setPriority(PRIORITY)
} catch {
  // A sandbox may forbid it: then all threads are alike.
}

const JOBS: HeavyJobs = {
  ...HEAVY_JOBS,
  read: (bytes, args) => HEAVY_JOBS.read(checked(bytes), args),
  readEmbeddings: (bytes, args) => HEAVY_JOBS.readEmbeddings(checked(bytes), args),
  digest: (bytes) => createHash('sha256').update(bytes).digest('hex'),
}

function checked(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw new ApiError('invalid_json')
  return bytes
}

port.on('message', ({ name, bytes, args }: ToThread) => {
  const answer = { bytes, ...run(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), args) }
  port.postMessage(answer, [bytes.buffer, ...ownBuffersOf(answer)])
})

/** The types were checked where the job was given; between the threads they are only a name and its arguments. */
function run(name: string, bytes: Buffer, args: unknown): Omit<FromThread, 'bytes'> {
  const jobs: Record<string, (bytes: Buffer, args: never) => unknown> = JOBS
  try {
    return { result: jobs[name]?.(bytes, args as never) }
  } catch (thrown) {
    return thrown instanceof ApiError ? { apiError: plainApiError(thrown) } : { fault: thrown }
  }
}

/** What the vendor is sent goes over as it is, unless it is a part of a buffer that others use too. */
function ownBuffersOf(answer: object): ArrayBuffer[] {
  const { body } = Object(Object(answer).result)
  if (!(body instanceof Uint8Array) || !(body.buffer instanceof ArrayBuffer)) return []
  return body.byteLength === body.buffer.byteLength ? [body.buffer] : []
}
