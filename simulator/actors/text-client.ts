import { TEXT_ENDPOINTS, type TextEndpoint } from '@sluice/dialects/dialect-facts'
import { LightBody } from '../../src/app/text/contract/light-body.ts'
import { asApiError } from '../../src/domain/api-error.ts'
import { ERRORS } from '../../src/domain/errors.ts'
import type { KeptReply, TextAttempt, TextBooks } from '../books/text-books.ts'
import { Violation } from '../books/violation.ts'
import { Client, type ClientParts } from './client.ts'
import { Connection, type Received } from './connection.ts'
import { TEXT_MODELS } from './text-vendor.ts'

/** Maximum number of reads: a background reply has ended by then, or never will. */
const LOOKS_MAX = 30
const LOOK_MS_MAX = 3_000
/** Maximum number of turns: the cost of a conversation stays small. */
const TURNS_MAX = 9

/** A planned request of a client, which may have several attempts. */
interface PlannedRequest {
  tag: string
  endpoint: TextEndpoint
  model: string
  isStream: boolean
  maxTokens: number
  idempotencyKey: string | undefined
  /** The request runs without its client, which reads the reply later. */
  isBackground: boolean
  /** The reply can be continued. */
  isStored: boolean
  /** The reply that the request continues. */
  previous: KeptReply | undefined
  triesLeft: number
}

const PAUSE_MS_MAX = 3_000
/** Every request is answered by then: no vendor is silent for longer than 25 s. */
const PATIENCE_MS = 60_000
/** Some retries come immediately, some after the claim on their key has expired. */
const RETRY_MS_MAX = 40_000

/** A program that requests text, one after the other or several at the same time, and repeats failed requests. */
export class TextClient extends Client {
  readonly #books: TextBooks
  #running = 0
  /** Number of planned retries, and of planned reads of background replies. */
  #planned = 0
  #wishes = 0

  constructor({ books, ...parts }: ClientParts & { books: TextBooks }) {
    super(parts, { kind: 'text', mark: '' })
    this.#books = books
    this.later(this.random.whole(0, PAUSE_MS_MAX), () => this.#next())
  }

  /** Whether no request is open or planned. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#planned === 0
  }

  #next(): void {
    if (this.faults.areOver) return
    this.later(this.random.whole(50, PAUSE_MS_MAX), () => this.#next())
    if (this.random.chance(0.15)) this.#look()
    if (this.#running >= 4) return
    this.#wishes += 1
    const endpoint = this.random.pick(TEXT_ENDPOINTS)
    const isBackground = endpoint === 'responses' && this.random.chance(0.3)
    const hasKey = this.random.chance(0.5) && !isBackground
    this.#send({
      tag: `tag-${this.number * 1_000_000 + this.#wishes}`,
      endpoint,
      model: this.random.pick(TEXT_MODELS),
      isStream: this.random.chance(0.5) && !isBackground,
      isBackground,
      ...this.#conversation(endpoint),
      maxTokens: this.random.pick([16, 1_024, 8_192]),
      idempotencyKey: hasKey ? `wish ${this.number}.${this.#wishes}` : undefined,
      triesLeft: this.random.whole(0, 3),
    })
  }

  /** Continues a reply of its own, and now and then tries one of another organization. */
  #conversation(endpoint: TextEndpoint): Pick<PlannedRequest, 'isStored' | 'previous'> {
    if (endpoint !== 'responses') return { isStored: false, previous: undefined }
    const { organizationId } = this.who
    const isForeign = this.random.chance(0.1)
    const kept = this.#books.keptReplies.filter(
      (reply) =>
        (reply.organizationId !== organizationId) === isForeign && reply.conversation.length < TURNS_MAX,
    )
    const previous = kept.length > 0 && this.random.chance(0.6) ? this.random.pick(kept) : undefined
    return { isStored: this.random.chance(0.7), previous }
  }

  /** Reads any kept reply, also of another organization. */
  #look(): void {
    const { keptReplies } = this.#books
    if (keptReplies.length === 0) return
    const reply = this.random.pick(keptReplies)
    const { organizationId } = this.who
    this.ask(`reads ${reply.id.slice(-6)}`, ({ app }) =>
      app.getResponse({ organizationId, id: reply.id }),
    ).then(
      () => this.#books.shown(reply, organizationId),
      () => {},
    )
  }

  #send(plan: PlannedRequest): void {
    const replica = this.deployment.pick(this.random)
    if (replica === undefined) return
    const { owner, app, tools } = replica
    const requestId = tools.newId('req')
    const body = bodyOf(plan)
    const attempt: TextAttempt = {
      requestId,
      ...{ tag: plan.tag, model: plan.model, isStream: plan.isStream, maxTokens: plan.maxTokens },
      endpoint: plan.endpoint,
      organizationId: this.who.organizationId,
      keyId: this.who.keyId,
      idempotencyKey: plan.idempotencyKey,
      bodyBytes: body.length,
      previous: plan.previous,
      owner,
      beganMs: this.world.nowMs,
      received: undefined,
      endedMs: undefined,
    }
    this.#books.asked(attempt)
    this.#running += 1
    const connection = new Connection({
      world: this.world,
      owner,
      faults: this.faults,
      hangUpAtBytes: this.faults.happens('hang-up', 0.08)
        ? this.random.whole(0, 2_000)
        : Number.POSITIVE_INFINITY,
      onOver: (received) => this.#received(attempt, plan, received),
    })
    this.deployment.opened(owner, connection)
    const after = plan.previous === undefined ? '' : ` after ${plan.previous.id.slice(-6)}`
    const key = plan.idempotencyKey === undefined ? '' : ` with ${plan.idempotencyKey}`
    this.trace(
      `sends ${plan.tag} (${requestId.slice(-6)}, ${plan.endpoint}${plan.isStream ? ', stream' : ''}) to ${owner.name}${key}${after}`,
    )
    const leavesAfterMs = this.random.whole(0, 2_500)
    if (this.faults.happens('hang-up', 0.08)) this.later(leavesAfterMs, () => connection.hangUp())
    this.later(PATIENCE_MS, () => {
      if (!connection.isOver) throw new Violation('no-answer', `${plan.tag} waits for ${PATIENCE_MS} ms`)
    })
    const serve = async () => {
      try {
        const caller = await app.authenticate(this.who.key)
        await app.answerText(
          {
            endpoint: plan.endpoint,
            requestId,
            caller,
            body: new LightBody(plan.endpoint, body, JSON.parse(body.toString('utf8'))),
            version: plan.endpoint === 'messages' ? '2023-06-01' : undefined,
            betas: undefined,
            isStrict: false,
            idempotencyKey: plan.idempotencyKey,
          },
          connection,
        )
      } catch (error) {
        const apiError = asApiError(error)
        const code = apiError?.code ?? 'internal_error'
        if (apiError === undefined) this.deployment.fault(owner, error)
        connection.refuse({ status: ERRORS[code].status, code })
      }
    }
    this.world.after(this.random.whole(0, 15), owner, 'request arrives', () => void serve())
  }

  #received(attempt: TextAttempt, plan: PlannedRequest, received: Received): void {
    attempt.received = received
    attempt.endedMs = this.world.nowMs
    this.#running -= 1
    this.trace(`${attempt.requestId.slice(-6)} ${endOf(received)}`)
    const isServed = received.isWhole && received.status === 200
    if (plan.isBackground && isServed) this.#readLater(attempt, JSON.parse(received.text).id)
    else if (plan.isStored && isServed) this.#books.kept(attempt, received.text)
    const repeats = isServed ? this.faults.happens('retry', 0.1) : this.faults.happens('retry', 0.6)
    if (!repeats || plan.triesLeft === 0) return
    // A retry without a key is a new request, and costs again.
    const tag =
      plan.idempotencyKey === undefined
        ? `tag-${this.number * 1_000_000 + 500_000 + ++this.#wishes}`
        : plan.tag
    this.#planned += 1
    this.later(this.random.whole(0, RETRY_MS_MAX), () => {
      this.#planned -= 1
      this.#send({ ...plan, tag, triesLeft: plan.triesLeft - 1 })
    })
  }

  /** Polls any replica until the reply has ended, or is lost with its store. */
  #readLater(attempt: TextAttempt, id: string, looksLeft = LOOKS_MAX): void {
    this.#planned += 1
    this.later(this.random.whole(200, LOOK_MS_MAX), () => {
      this.#planned -= 1
      const { organizationId } = this.who
      const lookAgain = () => looksLeft > 0 && this.#readLater(attempt, id, looksLeft - 1)
      this.ask(`looks for ${attempt.requestId.slice(-6)}`, ({ app }) =>
        app.getResponse({ organizationId, id }),
      ).then((text) => {
        const status = String(JSON.parse(text).status)
        if (status === 'queued' || status === 'in_progress') return void lookAgain()
        this.trace(`reads ${attempt.requestId.slice(-6)}: ${status}`)
        attempt.kept = { status, text }
        if (status === 'completed') this.#books.kept(attempt, attempt.kept.text)
      }, lookAgain)
    })
  }
}

const BODIES: Readonly<Record<TextEndpoint, (text: string, maxTokens: number) => object>> = {
  messages: (content, max_tokens) => ({ max_tokens, messages: [{ role: 'user', content }] }),
  responses: (input, max_output_tokens) => ({ max_output_tokens, input }),
  chat: (content, max_completion_tokens) => ({
    max_completion_tokens,
    messages: [{ role: 'user', content }],
  }),
}

function bodyOf({ tag, endpoint, model, maxTokens, previous, ...plan }: PlannedRequest): Buffer {
  const text = `${tag} please`
  return Buffer.from(
    JSON.stringify({
      model,
      ...BODIES[endpoint](text, maxTokens),
      ...(plan.isStream && { stream: true }),
      ...(plan.isBackground && { background: true }),
      ...(plan.isStored && { store: true }),
      ...(previous && { previous_response_id: previous.id }),
    }),
  )
}

function endOf({ status, code, isWhole, hungUp, text }: Received): string {
  if (hungUp) return `leaves after ${text.length} bytes`
  if (code !== undefined) return `gets ${status} ${code}`
  return isWhole ? `has its reply of ${text.length} bytes` : `loses its connection after ${text.length} bytes`
}
