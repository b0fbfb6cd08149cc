import type { VideoRequest } from '../../src/domain/video/request.ts'
import type { TaskView } from '../../src/domain/video/task-view.ts'
import type { AssetBooks } from '../books/asset-books.ts'
import { EXPIRES_AFTER_SECONDS, type VideoBooks } from '../books/video-books.ts'
import { Violation } from '../books/violation.ts'
import { Client, type ClientParts } from './client.ts'

/** A planned order of a client, which may have several attempts. */
interface PlannedOrder {
  tag: string
  model: string
  idempotencyKey: string | undefined
  callbackUrl: string | undefined
  /** The client requests a quote first, and orders by it. */
  isQuoted: boolean
  /** Asset that the video shows. */
  assetId: string | undefined
  triesLeft: number
}

const PAUSE_MS_MAX = 12_000
const POLL_MS_MAX = 15_000
const ERASED_PAUSE_MS_MAX = 8_000
const MODELS = ['vendorA/gen-2.0', 'vendorA/gen-2.0-fast', 'vendorB/gen-v4-fast']
const MODELS_WITH_PEOPLE = ['vendorA/gen-2.0', 'vendorA/gen-2.0-fast']
const NOT_SAID = {
  taskType: undefined,
  seed: undefined,
  framesPerSecond: undefined,
  generateAudio: undefined,
  draft: undefined,
  serviceTier: undefined,
}
/** Tags of videos begin here: tags of text requests are lower. */
const TAGS_FROM = 900_000_000

/** A program that orders videos, polls them, and deletes some. */
export class VideoClient extends Client {
  readonly #books: VideoBooks
  readonly #assets: AssetBooks
  /** Quotes by the tags of their orders. */
  readonly #quotes = new Map<string, string>()
  #wishes = 0

  constructor({ books, assets, ...parts }: ClientParts & { books: VideoBooks; assets: AssetBooks }) {
    super(parts, { kind: 'video', mark: 'v' })
    this.#books = books
    this.#assets = assets
    this.later(this.random.whole(0, PAUSE_MS_MAX), () => this.#next())
    this.later(this.random.whole(0, ERASED_PAUSE_MS_MAX), () => this.#orderErased())
  }

  #next(): void {
    if (this.faults.areOver) return
    this.later(this.random.whole(500, PAUSE_MS_MAX), () => this.#next())
    const tag = this.#newTag()
    const assetId = this.random.chance(0.5) ? this.#anyAsset() : undefined
    this.#create({
      tag,
      model: this.random.pick(assetId === undefined ? MODELS : MODELS_WITH_PEOPLE),
      assetId,
      idempotencyKey: this.random.chance(0.6) ? `video ${tag}` : undefined,
      callbackUrl: this.random.chance(0.7) ? `https://receiver.example/${tag}` : undefined,
      isQuoted: this.random.chance(0.4),
      triesLeft: this.random.whole(0, 2),
    })
  }

  /**
   * Orders with an asset of an erased person, like a program that does not know of the erasure. It continues after the last
   * fault: every such order must then be refused.
   */
  #orderErased(): void {
    this.later(this.random.whole(1_000, ERASED_PAUSE_MS_MAX), () => this.#orderErased())
    const erased = this.#assets.assets.filter(
      ({ organizationId, groupId = '' }) =>
        organizationId === this.who.organizationId && this.#assets.isErased(groupId),
    )
    if (erased.length === 0) return
    this.#create({
      ...{ tag: this.#newTag(), model: this.random.pick(MODELS_WITH_PEOPLE) },
      assetId: this.random.pick(erased).id,
      ...{ idempotencyKey: undefined, callbackUrl: undefined, isQuoted: false, triesLeft: 0 },
    })
  }

  /** An asset of its own, erased or not, and now and then one of another organization. */
  #anyAsset(): string | undefined {
    const isForeign = this.random.chance(0.1)
    const { organizationId } = this.who
    const choices = this.#assets.assets.filter(
      (asset) => (asset.organizationId !== organizationId) === isForeign,
    )
    const erased = choices.filter(({ groupId = '' }) => this.#assets.isErased(groupId))
    const among = erased.length > 0 && this.random.chance(0.5) ? erased : choices
    return among.length === 0 ? undefined : this.random.pick(among).id
  }

  #newTag(): string {
    this.#wishes += 1
    return `tag-${TAGS_FROM + this.number * 10_000 + this.#wishes}`
  }

  #create(plan: PlannedOrder): void {
    this.#quote(plan)
      .then((quoteId) => this.#order(plan, quoteId))
      .then(
        (task) => this.#created(plan, task),
        () => this.#retry(plan),
      )
  }

  /** The books record the price before the order is sent: from here on the price binds. */
  async #quote(plan: PlannedOrder): Promise<string | undefined> {
    if (!plan.isQuoted) return undefined
    const known = this.#quotes.get(plan.tag)
    if (known !== undefined) return known
    const { quoteId, maxMicros } = await this.ask(`asks the price of ${plan.tag}`, async ({ app }) => {
      const caller = await app.authenticate(this.who.key)
      return app.quoteTask({ request: requestOf(plan), caller })
    })
    this.trace(`is told at most ${maxMicros} micros for ${plan.tag}`)
    this.#quotes.set(plan.tag, quoteId)
    this.#books.quoted(plan.tag, maxMicros)
    return quoteId
  }

  #order(plan: PlannedOrder, quoteId: string | undefined): Promise<TaskView> {
    return this.ask(`creates ${plan.tag}`, async ({ app }) => {
      const caller = await app.authenticate(this.who.key)
      const { idempotencyKey: key } = plan
      return app.createTask({
        caller,
        idempotency: key === undefined ? undefined : { key, bodyDigest: digestOf(plan) },
        quoteId,
        request: requestOf(plan),
      })
    })
  }

  #created(plan: PlannedOrder, task: TaskView): void {
    this.#requireOwn(plan, task)
    if (this.faults.happens('retry', 0.1)) this.#retry(plan)
    this.#look(plan, task.id)
  }

  #retry(plan: PlannedOrder): void {
    if (plan.triesLeft === 0 || !this.faults.happens('retry', 0.7)) return
    // Without a key, a repeated order is another video.
    const tag = plan.idempotencyKey === undefined ? this.#newTag() : plan.tag
    this.later(this.random.whole(0, POLL_MS_MAX), () =>
      this.#create({ ...plan, tag, triesLeft: plan.triesLeft - 1 }),
    )
  }

  #look(plan: PlannedOrder, id: string): void {
    this.later(this.random.whole(100, POLL_MS_MAX), () => {
      const isDeleting = this.faults.happens('delete', 0.1)
      this.ask(`${isDeleting ? 'deletes' : 'gets'} ${plan.tag}`, async ({ app }) => {
        const caller = await app.authenticate(this.who.key)
        if (!isDeleting) return app.getTask({ id, caller })
        await app.deleteTask({ id, caller })
        return undefined
      }).then(
        (task) => {
          if (task === undefined) return
          this.#requireOwn(plan, task)
          if (task.completedAtMs === null && !this.faults.areOver) this.#look(plan, id)
        },
        () => {},
      )
    })
  }

  #requireOwn({ tag }: PlannedOrder, task: TaskView): void {
    if (!task.metadata.includes(`"${tag}"`))
      throw new Violation('foreign-task', `${tag} was shown the task with ${task.metadata}`)
  }
}

function requestOf(plan: PlannedOrder): VideoRequest {
  return {
    model: plan.model,
    items: itemsOf(plan),
    durationSeconds: 5,
    ratio: '16:9',
    resolution: '720p',
    callbackUrl: plan.callbackUrl,
    ...NOT_SAID,
    executionExpiresAfterSeconds: EXPIRES_AFTER_SECONDS,
    metadata: JSON.stringify({ tag: plan.tag }),
  }
}

function itemsOf({ tag, assetId }: PlannedOrder): VideoRequest['items'] {
  const text = { kind: 'text', text: `${tag} please`, role: undefined, index: 0 } as const
  if (assetId === undefined) return [text]
  const url = `asset://${assetId}`
  const unused = { tag: undefined, timeStampSeconds: undefined }
  return [text, { kind: 'image', url, role: 'reference_image', ...unused, index: 1 }]
}

function digestOf({ tag }: PlannedOrder): string {
  return `digest of ${tag}`
}
