import { finished, Readable } from 'node:stream'
import { type ReplySink, SERVED_BY_HEADER, type SinkHead } from '../app/text/contract/reply-sink.ts'
import type { Caller } from '../domain/access/api-key.ts'
import type { TextFigures } from '../ports/usage.ts'
import type { EdgeRequest } from './edge-request.ts'
import { addAnswerHeaders } from './errors/answer-headers.ts'
import type { RawReply } from './raw.ts'
import { type LargeReplies, PIECE_BYTES } from './server/large-replies.ts'

type ReplyHeaders = Record<string, string | number | string[]>

/** A body up to this size is sent in one write with its head, as a copy: a second write would cost more. */
const JOINED_BYTES_MAX = 16 * 1024
/** Time after which a client that does not read its stream is cut. The stream holds a file or a vendor connection. */
const UNREAD_MS_MAX = 30_000

/** Text that many responses send, with its length computed once. */
export class SizedText {
  readonly text: string
  readonly bytes: number

  constructor(text: string) {
    this.text = text
    this.bytes = Buffer.byteLength(text)
  }
}

/** Response to a request: sent whole, or as a stream of text or bytes. */
export class EdgeReply implements ReplySink {
  readonly raw: RawReply
  isSent = false
  protected status = 200
  protected readonly request: EdgeRequest
  readonly #largeReplies: LargeReplies | undefined
  #headers: ReplyHeaders = {}

  /** `largeReplies` sends large bodies in pieces. Left out: every body is written in one piece. */
  constructor(request: EdgeRequest, raw: RawReply, largeReplies?: LargeReplies) {
    this.request = request
    this.raw = raw
    this.#largeReplies = largeReplies
  }

  code(status: number): this {
    this.status = status
    return this
  }

  header(name: string, value: ReplyHeaders[string]): this {
    this.#headers[name] = value
    return this
  }

  headers(values: ReplyHeaders): this {
    Object.assign(this.#headers, values)
    return this
  }

  type(contentType: string): this {
    return this.header('content-type', contentType)
  }

  /** Sends an object as JSON. The promise for a stream rejects when the stream fails before its first byte. */
  send(body?: unknown): Promise<void> | undefined {
    if (body instanceof Readable) return this.#sendStream(body)
    if (this.isSent) return undefined
    if (body instanceof SizedText) this.#write(body.text, body.bytes)
    else if (body === undefined) this.#sendNothing()
    else if (Buffer.isBuffer(body)) this.#write(body, body.length)
    else {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      this.#headers['content-type'] ??= typeof body === 'string' ? TEXT_TYPE : JSON_TYPE
      this.#write(text, Buffer.byteLength(text))
    }
    return undefined
  }

  writeHead(bodyBytes?: number): void {
    const headers = this.#headers
    addAnswerHeaders(this.request, headers)
    if (bodyBytes !== undefined) headers['content-length'] = bodyBytes
    this.isSent = true
    this.raw.writeHead(this.status, headers)
  }

  begin({ status, headers, body }: SinkHead): void {
    this.request.servedBy = headers[SERVED_BY_HEADER]
    this.status = status
    this.#headers = { ...headers }
    if (body === undefined) {
      // Small events must not wait for more data.
      this.raw.socket?.setNoDelay(true)
      this.writeHead()
    } else this.#write(body, Buffer.byteLength(body))
  }

  write(bytes: string | Uint8Array): boolean {
    this.request.recording?.add(bytes)
    return this.raw.write(bytes)
  }

  end(): void {
    this.raw.end()
  }

  cut(): void {
    this.raw.destroy()
  }

  recorded(): void {
    this.request.isRecorded = true
  }

  settled(usage: TextFigures): void {
    this.request.textUsage = usage
  }

  onDrain(listener: () => void): void {
    this.raw.on('drain', listener)
  }

  onClose(listener: () => void): void {
    if (this.raw.destroyed || this.raw.socket?.destroyed) listener()
    else this.raw.on('close', listener)
  }

  /** Sends small bytes as latin1 text, which keeps them unchanged: Node writes a text together with the head. */
  #write(body: string | Uint8Array, bytes: number): void {
    const { raw } = this
    if (raw.destroyed) return
    this.request.recording?.add(body)
    this.writeHead(bytes)
    // The caller is set on operations with an API key only.
    const caller: Caller | undefined = this.request.caller
    if (bytes > PIECE_BYTES && this.#largeReplies !== undefined)
      this.#largeReplies.send(
        raw,
        typeof body === 'string' ? Buffer.from(body) : body,
        caller?.organizationId,
      )
    else if (typeof body === 'string') raw.end(body, body.length === bytes ? 'latin1' : 'utf8')
    else if (Buffer.isBuffer(body) && bytes <= JOINED_BYTES_MAX) raw.end(body.toString('latin1'), 'latin1')
    else raw.end(body)
  }

  /** 204 and 304 have no length, and the length of a response to HEAD is not known here. */
  #sendNothing(): void {
    if (this.raw.destroyed) return
    const hasLength = this.status !== 204 && this.status !== 304 && this.request.method !== 'HEAD'
    this.writeHead(hasLength ? 0 : undefined)
    this.raw.end()
  }

  /** Sends the head with the first bytes of the stream. If it fails earlier, the client gets an error response. */
  #sendStream(body: Readable): Promise<void> | undefined {
    const { raw } = this
    if (this.isSent || raw.destroyed) return void body.destroy()
    if (this.request.method === 'HEAD') {
      body.destroy()
      return void this.#sendNothing()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let unread: NodeJS.Timeout | undefined
    body.on('data', (bytes) => {
      if (!raw.headersSent) this.writeHead()
      if (raw.write(bytes)) return
      body.pause()
      unread ??= setTimeout(() => raw.destroy(), UNREAD_MS_MAX)
    })
    const stopWaiting = () => {
      clearTimeout(unread)
      unread = undefined
    }
    raw.on('drain', () => {
      stopWaiting()
      body.resume()
    })
    raw.on('close', () => {
      stopWaiting()
      body.destroy()
    })
    finished(body, (error) => {
      if (error && !raw.headersSent && !raw.destroyed) return reject(error)
      if (error) raw.destroy()
      else {
        if (!raw.headersSent) this.writeHead(0)
        raw.end()
      }
      resolve()
    })
    return promise
  }
}

const TEXT_TYPE = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
