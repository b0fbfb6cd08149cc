import type { AssetStatus, AssetType } from '../domain/assets/asset.ts'
import type { NewAudit } from './audit.ts'

export interface GroupRef {
  groupId: string
  organizationId: string
}

/** A verified person as one organization knows it. */
export interface PersonReport {
  id: string
  organizationId: string
  provider: string
  createdAtMs: number
  assets: { id: string; type: AssetType; name: string | null; status: AssetStatus; createdAtMs: number }[]
}

/** What is gone here, with the vendor's own ids of its copies. */
export interface ErasedGroup {
  groupId: string
  provider: string
  groupTicket: string
  /** Another organization has verified the same person: the vendor's group stays. */
  isShared: boolean
  /** This gateway has the vendor remove its copies; else they are for the operator to remove. */
  isQueued: boolean
  assets: { id: string; ticket: string }[]
}

/** What a link of a verified person stands for. */
export interface Consent {
  organizationName: string
  verifiedAtMs: number
  /** null: the organization keeps the verification. */
  revokedAtMs: number | null
}

/** A copy that the vendor has to remove. */
export interface Removal {
  provider: string
  kind: 'asset' | 'group'
  ticket: string
  organizationId: string
  /** With the one that it was claimed for. */
  attempts: number
}

/** Removes what names or shows a person. Money, usage and tasks stay, under their ids. */
export interface ErasureStore {
  findPerson(group: GroupRef): Promise<PersonReport | undefined>
  /** The ids of all groups of an organization. */
  listGroups(organizationId: string): Promise<string[]>
  /**
   * The group, its assets and ended verifications. Undefined when there is no such group. The copies of a provider among
   * `removers` are queued in the same transaction.
   */
  eraseGroup(group: GroupRef, audit: NewAudit, removers: readonly string[]): Promise<ErasedGroup | undefined>
  /** Of any organization; undefined where the group was erased, or never was. */
  findConsent(groupId: string): Promise<Consent | undefined>
  /**
   * Erases the group of a person, whichever organization has it, and keeps that the person asked for it. Undefined when there
   * is no such group. The audit row gets the organization.
   */
  revokeConsent(revocation: {
    groupId: string
    audit: NewAudit
    removers: readonly string[]
    /** Of the event that tells the organization, where it has an address for events. */
    eventId: string
  }): Promise<ErasedGroup | undefined>
  /** Copies that are due, those of assets before their group, until the lease ends; the longest due first. */
  claimRemovals(claim: {
    provider: string
    nowMs: number
    leaseUntilMs: number
    limit: number
  }): Promise<Removal[]>
  /** The vendor has removed it. */
  finishRemoval(removal: Pick<Removal, 'provider' | 'kind' | 'ticket'>): Promise<void>
  postponeRemoval(removal: Pick<Removal, 'provider' | 'kind' | 'ticket'> & { dueAtMs: number }): Promise<void>
  /** Its names and those of its users and keys; all of them are stopped. False when there is no such organization. */
  eraseOrganization(erasure: { id: string; atMs: number; audit: NewAudit }): Promise<boolean>
  /** The organization of the user; undefined when there is no such user. */
  eraseUser(erasure: { id: string; atMs: number; audit: NewAudit }): Promise<string | undefined>
}
