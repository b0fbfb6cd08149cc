import type { HeavyJobs } from '@sluice/dialects/body/heavy-jobs'
import {
  type Continuing,
  continueRequest,
  type SplitValue,
  splitValue,
} from '@sluice/dialects/body/kept-jobs'
import type { Conversation } from '@sluice/dialects/responses/kept/conversation'
import type { Secrets } from '../../../ports/secrets.ts'
import type { Threads } from '../../../ports/threads.ts'
import { COSTLY_BYTES } from '../../waiting/body-turns.ts'

export interface EncryptedValue {
  encrypted: string
  /** Store key of the record, which the encryption is bound to. */
  boundTo: string
}

/** A request joined with the conversation that it continues, as JSON, and the items of both. */
export interface ContinuedRequest {
  bytes: Buffer
  length: number
  /** Returns the items as JSON, without the brackets of the list. */
  items(): string
}

/** Decrypts stored values: short values immediately, long values on another thread, one at a time per organization. */
export interface OpenValues {
  /** Returns undefined when the value was changed, or was encrypted for another record. */
  text(value: EncryptedValue, holder: string): Promise<string | undefined>
  /** Splits an object into the named member, as JSON, and the rest. */
  split(value: EncryptedValue, member: string, holder: string): Promise<SplitValue | undefined>
  /** Puts the items of a conversation before those of a request. */
  join(
    before: EncryptedValue | Conversation,
    request: Continuing,
    turn: { holder: string; signal: AbortSignal },
  ): Promise<ContinuedRequest | undefined>
}

export function lengthOf(value: EncryptedValue | Conversation): number {
  return 'encrypted' in value ? value.encrypted.length : value.items.length
}

const NEVER = new AbortController().signal

export function openValues(tools: {
  secrets: Pick<Secrets, 'decrypt'>
  threads: Threads<HeavyJobs>
}): OpenValues {
  const { secrets, threads } = tools
  return {
    async text(value, holder) {
      if (isShort(value)) return decrypt(value)
      const opened = await run(
        'decrypt',
        value.encrypted,
        { boundTo: value.boundTo },
        { holder, signal: NEVER },
      )
      return opened && textOf(opened.body)
    },
    async split(value, member, holder) {
      if (isShort(value)) {
        const text = decrypt(value)
        return text === undefined ? undefined : splitValue(text, member)
      }
      const { encrypted, boundTo } = value
      const opened = await run('decrypt', encrypted, { boundTo, member }, { holder, signal: NEVER })
      return opened && { member: textOf(opened.body), rest: opened.rest }
    },
    async join(before, request, turn) {
      if (isShort(before)) {
        const known = 'encrypted' in before ? conversationIn(decrypt(before)) : before
        return known && continuedOf(continueRequest(known, request))
      }
      const joined =
        'encrypted' in before
          ? await run('continue', before.encrypted, { ...request, boundTo: before.boundTo }, turn)
          : await run('continue', before.items, { ...request, before: before.provider }, turn)
      if (joined === undefined) return undefined
      const { body, items } = joined
      return { bytes: bufferOf(body), length: items.length, items: () => textOf(items) }
    },
  }

  function decrypt({ encrypted, boundTo }: EncryptedValue): string | undefined {
    return secrets.decrypt(encrypted, boundTo)
  }

  async function run<Name extends 'decrypt' | 'continue'>(
    name: Name,
    text: string,
    args: Parameters<HeavyJobs[Name]>[1],
    turn: { holder: string; signal: AbortSignal },
  ): Promise<ReturnType<HeavyJobs[Name]>> {
    const end = await threads.run(name, Buffer.from(text), args, turn)
    if ('refused' in end) throw end.refused
    return end.result
  }
}

function isShort(value: EncryptedValue | Conversation): boolean {
  return lengthOf(value) <= COSTLY_BYTES
}

function conversationIn(json: string | undefined): Conversation | undefined {
  return json === undefined ? undefined : JSON.parse(json)
}

function continuedOf({ json, items }: { json: string; items: string }): ContinuedRequest {
  return { bytes: Buffer.from(json), length: items.length, items: () => items }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function textOf(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('utf8')
}
