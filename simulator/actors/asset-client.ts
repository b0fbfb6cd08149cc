import type { AssetBooks, KnownPerson } from '../books/asset-books.ts'
import { Client, type ClientParts } from './client.ts'

const PAUSE_MS_MAX = 4_000
const SCAN_MS_MAX = 1_000
/** The first action comes early: a person has to be verified, shown and erased before the run is over. */
const FIRST_MS_MAX = 500
const RETURNS_MAX = 3
const ADDRESS = '127.0.0.1'

/** A program that uploads images and has people verified, who may withdraw their consent. */
export class AssetClient extends Client {
  readonly #books: AssetBooks
  #uploads = 0

  constructor({ books, ...parts }: ClientParts & { books: AssetBooks }) {
    super(parts, { kind: 'asset', mark: 'a' })
    this.#books = books
    this.later(this.random.whole(0, FIRST_MS_MAX), () => this.#next())
  }

  #next(): void {
    if (this.faults.areOver) return
    this.later(this.random.whole(500, PAUSE_MS_MAX), () => this.#next())
    const { organizationId } = this.who
    const persons = this.#books.persons.filter((person) => person.organizationId === organizationId)
    const person = persons.length === 0 ? undefined : this.random.pick(persons)
    if (person !== undefined && this.faults.happens('erasure', 0.1)) this.#revoke(person)
    else if (person === undefined ? this.random.chance(0.8) : this.random.chance(0.1)) this.#verify()
    else if (this.random.chance(0.2)) this.#look()
    else this.#upload(this.random.chance(0.7) ? person?.groupId : undefined)
  }

  #upload(groupId: string | undefined): void {
    this.#uploads += 1
    const { organizationId } = this.who
    const name = `image ${this.number}.${this.#uploads}`
    const beganMs = this.world.nowMs
    const url = `https://client.example/${this.#uploads}`
    this.ask(`uploads ${name} to ${groupId?.slice(-6) ?? 'its own group'}`, async ({ app }) => {
      const caller = await app.authenticate(this.who.key)
      return app.createAsset({ request: { url, type: 'Image', groupId, name }, caller })
    }).then(
      ({ id }) => this.#books.took({ id, name, organizationId, groupId }, beganMs),
      () => {},
    )
  }

  /** Reads any asset, also of another organization. */
  #look(): void {
    const { assets } = this.#books
    if (assets.length === 0) return
    const asset = this.random.pick(assets)
    this.ask(`looks at ${asset.name}`, async ({ app }) => {
      const caller = await app.authenticate(this.who.key)
      return app.getAsset({ id: asset.id, caller })
    }).then(
      () => this.#books.shown(asset, this.who.organizationId),
      () => {},
    )
  }

  #verify(): void {
    this.ask('has a person verified', async ({ app }) => {
      const caller = await app.authenticate(this.who.key)
      const callbackUrl = 'https://client.example/verified'
      return app.startVerification({ request: { callbackUrl, language: 'en' }, caller })
    }).then(
      ({ link }) => this.#return(new URL(link).searchParams.get('return') ?? '', RETURNS_MAX),
      () => {},
    )
  }

  /** The person's browser comes back from the vendor's page, and is reloaded when that fails. */
  #return(address: string, timesLeft: number): void {
    if (timesLeft === 0) return
    const state = address.slice(address.lastIndexOf('/') + 1)
    const again = () => this.#return(address, timesLeft - 1)
    this.later(this.random.whole(100, SCAN_MS_MAX), () => {
      this.ask('sends a person back', ({ app }) =>
        app.returnFromVerification({ state, query: { resultCode: '10000' } }),
      ).then((back) => (back.kind === 'redirect' ? this.#verified(new URL(back.url)) : again()), again)
    })
  }

  #verified({ searchParams }: URL): void {
    const groupId = searchParams.get('group_id')
    const consentUrl = searchParams.get('consent_url')
    if (groupId === null || consentUrl === null) return
    this.trace(`knows ${groupId.slice(-6)}`)
    if (this.#books.persons.some((person) => person.groupId === groupId)) return
    const consentToken = consentUrl.slice(consentUrl.lastIndexOf('/') + 1)
    this.#books.persons.push({ groupId, organizationId: this.who.organizationId, consentToken })
  }

  #revoke({ groupId, consentToken: token }: KnownPerson): void {
    const visit = { token, address: ADDRESS }
    this.ask(`takes the consent of ${groupId.slice(-6)} back`, async ({ app: { consents } }) => {
      const given = await consents.show(visit)
      const confirmation = given.kind === 'given' ? given.confirmation : undefined
      return consents.revoke({ ...visit, confirmation })
    }).then(
      ({ kind }) => {
        if (kind !== 'revoked') return
        this.trace(`is told that ${groupId.slice(-6)} is erased`)
        this.#books.erased(groupId)
      },
      () => {},
    )
  }
}
