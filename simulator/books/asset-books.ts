import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Violation } from './violation.ts'

/** One asset as its vendor knows it. */
export interface AssetRecord {
  ticket: string
  /** As its client named it: no other has this name. */
  name: string
  groupTicket: string
  organizationId: string
  isDeleted: boolean
}

/** One asset as its client knows it. */
export interface KnownAsset {
  id: string
  name: string
  organizationId: string
  /** Of a verified person; undefined: the organization's own. */
  groupId: string | undefined
}

/** A verified person as one organization knows it. */
export interface KnownPerson {
  groupId: string
  organizationId: string
  /** With which the person can take the consent back. */
  consentToken: string
}

/** Every replica knows by then that a person was erased, and what had been looked up before has arrived. */
const SEEN_WITHIN_MS = 8_000
/** The remover comes every two seconds, and takes some at a time. */
const OVERDUE_MS_MAX = 20_000

/** Who may use which asset, and what has to be gone. Shares no code with the application. */
export class AssetBooks {
  readonly records = new Map<string, AssetRecord>()
  readonly assets: KnownAsset[] = []
  readonly persons: KnownPerson[] = []
  readonly #nowMs: () => number
  /** When the erasure was confirmed, by group. */
  readonly #erasedAtMs = new Map<string, number>()
  readonly #rows: StatementSync
  readonly #removals: StatementSync

  constructor({ database, nowMs }: { database: DatabaseSync; nowMs: () => number }) {
    this.#nowMs = nowMs
    this.#rows = database.prepare(`select id from assets where group_id = ? limit 1`)
    this.#removals = database.prepare(`select ticket, due_at_ms from vendor_removals where kind = 'asset'`)
  }

  /** By its person, or by the operator. */
  erased(groupId: string): void {
    if (!this.#erasedAtMs.has(groupId)) this.#erasedAtMs.set(groupId, this.#nowMs())
  }

  isErased(groupId: string): boolean {
    return this.#erasedAtMs.has(groupId)
  }

  /** A replica that was asked at `sinceMs` took an asset for this group. */
  took(asset: KnownAsset, sinceMs: number): void {
    this.assets.push(asset)
    this.#requireKept(asset, sinceMs)
  }

  /** A client was shown this asset. */
  shown({ id, organizationId }: KnownAsset, toOrganizationId: string): void {
    if (organizationId !== toOrganizationId)
      throw new Violation('foreign-asset', `${toOrganizationId} was shown ${id} of ${organizationId}`)
  }

  /** An order that names this asset arrives at its vendor. */
  used(ticket: string, organizationId: string): void {
    const record = this.records.get(ticket)
    if (record?.organizationId !== organizationId)
      throw new Violation('foreign-asset', `${organizationId} used ${ticket} of ${record?.organizationId}`)
    const asset = this.assets.find(({ name }) => name === record.name)
    if (asset !== undefined) this.#requireKept(asset, this.#nowMs())
  }

  #requireKept({ id, groupId = '' }: KnownAsset, atMs: number): void {
    const erasedAtMs = this.#erasedAtMs.get(groupId)
    if (erasedAtMs !== undefined && atMs > erasedAtMs + SEEN_WITHIN_MS)
      throw new Violation(
        'erased-asset-used',
        `${id} was used ${Math.round(atMs - erasedAtMs)} ms after ${groupId} was erased`,
      )
  }

  /** Not after a wrong clock, which also says when a copy is due. */
  checkEnd(wallMs: number): void {
    const queued = new Map(this.#removals.all().map(({ ticket, due_at_ms }) => [ticket, Number(due_at_ms)]))
    for (const groupId of this.#erasedAtMs.keys()) {
      if (this.#rows.get(groupId) !== undefined)
        throw new Violation('erased-asset-kept', `${groupId} was erased and has assets`)
      for (const { name } of this.assets.filter((asset) => asset.groupId === groupId))
        this.#requireRemoved(name, queued, wallMs)
    }
  }

  #requireRemoved(name: string, queued: ReadonlyMap<unknown, number>, wallMs: number): void {
    const record = [...this.records.values()].find((one) => one.name === name)
    if (record === undefined || record.isDeleted) return
    const dueAtMs = queued.get(record.ticket)
    if (dueAtMs === undefined || dueAtMs < wallMs - OVERDUE_MS_MAX)
      throw new Violation('copy-kept', `the vendor still has ${record.ticket} of an erased person`)
  }
}
