import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Violation } from './violation.ts'

/** The vendor's record of one asset. */
export interface AssetRecord {
  ticket: string
  /** Name by its client: no other asset has it. */
  name: string
  groupTicket: string
  organizationId: string
  isDeleted: boolean
}

/** A client's record of one asset. */
export interface KnownAsset {
  id: string
  name: string
  organizationId: string
  /** Group of a verified person; undefined: the organization's own. */
  groupId: string | undefined
}

/** An organization's record of a verified person. */
export interface KnownPerson {
  groupId: string
  organizationId: string
  /** Token with which the person can withdraw the consent. */
  consentToken: string
}

/** Time within which every replica knows of an erasure, and earlier lookups have arrived. */
const SEEN_WITHIN_MS = 8_000
/** The remover runs every two seconds, and takes a few removals at a time. */
const OVERDUE_MS_MAX = 20_000

/**
 * Checks which organization may use which asset, and which assets must be removed. Shares no code with the application.
 */
export class AssetBooks {
  readonly records = new Map<string, AssetRecord>()
  readonly assets: KnownAsset[] = []
  readonly persons: KnownPerson[] = []
  readonly #nowMs: () => number
  /** Time of the confirmed erasure, by group. */
  readonly #erasedAtMs = new Map<string, number>()
  readonly #rows: StatementSync
  readonly #removals: StatementSync

  constructor({ database, nowMs }: { database: DatabaseSync; nowMs: () => number }) {
    this.#nowMs = nowMs
    this.#rows = database.prepare(`select id from assets where group_id = ? limit 1`)
    this.#removals = database.prepare(`select ticket, due_at_ms from vendor_removals where kind = 'asset'`)
  }

  /** The person, or the operator, erased the group. */
  erased(groupId: string): void {
    if (!this.#erasedAtMs.has(groupId)) this.#erasedAtMs.set(groupId, this.#nowMs())
  }

  isErased(groupId: string): boolean {
    return this.#erasedAtMs.has(groupId)
  }

  /** A replica took an asset for this group; the request began at `sinceMs`. */
  took(asset: KnownAsset, sinceMs: number): void {
    this.assets.push(asset)
    this.#requireKept(asset, sinceMs)
  }

  /** A client got this asset. */
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

  /** Not called after a wrong clock, which also decides when a copy is due. */
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
