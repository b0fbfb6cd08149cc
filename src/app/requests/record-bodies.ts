import type { Caller } from '../../domain/access/api-key.ts'
import { isErased } from '../../domain/access/organization.ts'
import { withoutMedia } from '../../domain/json/without-media.ts'
import { sharesOf } from '../../domain/slot-shares.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { KeptValues } from '../../ports/kept-values.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import type { Runtime } from '../runtime.ts'
import { turnFor } from '../waiting/body-turns.ts'

/** Maximum bytes of a recorded request, and of its response. */
const BODY_BYTES_MAX = 256 * 1024
/** Maximum bytes that wait in this process for the end of their requests and for the store. */
const HELD_BYTES_MAX = 64 * 1024 * 1024
/** Only organizations whose waiting bodies have fewer bytes than this may use the last `RESERVED_BYTES`. */
const SMALL_BYTES = 1024 * 1024
const { reserved: RESERVED_BYTES } = sharesOf(HELD_BYTES_MAX, 4)
/** Maximum bytes of an organization in the store; the bodies that expire first make room. */
const SHARE_BYTES_MAX = 256 * 1024 * 1024

export interface RecordedBody {
  organizationId: string
  /** The sent text, except media. */
  request: string
  /** null: none was sent. */
  response: string | null
  truncated: boolean
}

export interface BodyRecording {
  add(bytes: string | Uint8Array): void
  /** Keeps the bodies, unless only errors are recorded and `isError` is false. */
  end(isError: boolean): void
}

export interface BodyLog {
  /** undefined: the caller's requests are not recorded. */
  begin(request: { requestId: string; caller: Caller; body: Buffer }): BodyRecording | undefined
  close(): Promise<void>
}

export function bodyKeyOf(requestId: string): string {
  return `body:${requestId}`
}

export function bodyShareOf(organizationId: string): string {
  return `bodies:${organizationId}`
}

export function recordBodies(
  tools: Pick<Runtime, 'log' | 'secrets'> & {
    values: KeptValues
    turns: BodyTurns
    organizations: Pick<OrganizationStore, 'find'>
    keptMs: number
  },
): BodyLog {
  const { values, organizations, secrets, keptMs, log, turns } = tools
  const writing = new Set<Promise<void>>()
  const heldBytes = new Map<string, number>()
  let allBytes = 0

  function hold(organizationId: string, bytes: number): void {
    allBytes += bytes
    const own = (heldBytes.get(organizationId) ?? 0) + bytes
    if (own > 0) heldBytes.set(organizationId, own)
    else heldBytes.delete(organizationId)
  }

  return {
    begin({ requestId, caller: { recordBodies: which, organizationId }, body }) {
      if (which === undefined) return undefined
      const held: string[] = []
      let ownBytes = 0
      let left = BODY_BYTES_MAX
      let truncated = false

      function take(bytes: Buffer): string {
        const reserved = (heldBytes.get(organizationId) ?? 0) < SMALL_BYTES ? 0 : RESERVED_BYTES
        const read = withoutMedia(bytes, Math.max(0, Math.min(left, HELD_BYTES_MAX - reserved - allBytes)))
        truncated ||= read.isCut
        left -= read.bytes
        ownBytes += read.bytes
        hold(organizationId, read.bytes)
        return read.text
      }

      const request = take(body)
      left = BODY_BYTES_MAX
      return {
        add(bytes) {
          if (left > 0) held.push(take(typeof bytes === 'string' ? Buffer.from(bytes) : bufferOf(bytes)))
          else truncated = true
        },
        end(isError) {
          const response = held.length === 0 ? null : held.join('')
          const written =
            which === 'all' || isError
              ? write(requestId, { organizationId, request, response, truncated })
              : Promise.resolve()
          const done = written.finally(() => {
            hold(organizationId, -ownBytes)
            writing.delete(done)
          })
          writing.add(done)
        },
      }
    },
    close: async () => void (await Promise.all(writing)),
  }

  /** Writes a body, and then checks its organization: an erasure before the write did not find the body. */
  async function write(requestId: string, body: RecordedBody): Promise<void> {
    const key = bodyKeyOf(requestId)
    const share = bodyShareOf(body.organizationId)
    try {
      // Many requests may end at the same time, and each takes milliseconds to encrypt.
      await turnFor(turns, body.organizationId, body.request.length + (body.response?.length ?? 0))
      const value = secrets.encrypt(JSON.stringify(body), key)
      await values.set(key, value, { ttlMs: keptMs, share: { name: share, bytesMax: SHARE_BYTES_MAX } })
      const organization = await organizations.find(body.organizationId)
      if (organization === undefined || isErased(organization)) await values.deleteShare(share)
    } catch (error) {
      log.warn('request.body_not_kept', { requestId, error })
    }
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
