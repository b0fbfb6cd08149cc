import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { HEAVY_JOBS, type HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import { continuedBody, openedValue } from '@sluice/dialects/body/kept-jobs'
import { readFacts } from '@sluice/dialects/body/read-facts'
import { findUrlProblem } from '../../domain/addresses/url-check.ts'
import { ApiError, asApiError } from '../../domain/api-error.ts'
import { decryptBy } from '../system/secrets.ts'
import { type JobMessage, type JobReply, plainApiError, type ThreadData } from './messages.ts'

/** Thread that reads and converts heavy bodies. Each message is one job with one reply. */
if (parentPort === null) throw new Error('This file is the body of a worker thread.')
const port = parentPort

/** Nice value, of which a higher number means lower priority. Only Linux has a priority per thread. */
const PRIORITY = 5
try {
  if (process.platform === 'linux') setPriority(PRIORITY)
} catch {
  // A container may forbid this. All threads then have the same priority.
}

const JOBS: HeavyJobs = {
  ...HEAVY_JOBS,
  read: (bytes, { allowedRanges, ...shape }) =>
    readFacts(requireUtf8(bytes), shape, findUrlProblem(allowedRanges)),
  readEmbeddings: (bytes, args) => HEAVY_JOBS.readEmbeddings(requireUtf8(bytes), args),
  digest: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  decrypt(bytes, { boundTo, member }) {
    const text = decryptText(bytes, boundTo)
    return text === undefined ? undefined : openedValue(text, member)
  },
  continue(bytes, { boundTo, ...args }) {
    const text = boundTo === undefined ? bytes.toString() : decryptText(bytes, boundTo)
    return text === undefined ? undefined : continuedBody(text, args)
  },
}

function decryptText(bytes: Buffer, boundTo: string): string | undefined {
  const { decryptionKeys }: ThreadData = workerData
  return decryptBy(decryptionKeys, bytes.toString('latin1'), boundTo)
}

function requireUtf8(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw new ApiError('invalid_json')
  return bytes
}

port.on('message', ({ name, bytes, args }: JobMessage) => {
  const answer = { bytes, ...run(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), args) }
  port.postMessage(answer, [...new Set([bytes.buffer, ...ownBuffersOf(answer)])])
})

/** Runs a job, whose name and arguments the compiler checks at the caller. */
function run(name: string, bytes: Buffer, args: unknown): Omit<JobReply, 'bytes'> {
  const jobs: Record<string, (bytes: Buffer, args: never) => unknown> = JOBS
  try {
    return { result: jobs[name]?.(bytes, args as never) }
  } catch (thrown) {
    const apiError = asApiError(thrown)
    return apiError === undefined ? { fault: thrown } : { apiError: plainApiError(apiError) }
  }
}

/** Returns buffers of the result to transfer: all but views of a part, which may be shared. */
function ownBuffersOf(answer: object): ArrayBuffer[] {
  return Object.values(Object(Object(answer).result)).flatMap((value) => {
    if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return []
    return value.byteLength === value.buffer.byteLength ? [value.buffer] : []
  })
}
