import type { AssetStatus, AssetType } from '../domain/assets/asset.ts'
import type { ErasedFile } from '../domain/video/clip.ts'
import type { NewAudit } from './audit.ts'

export interface GroupRef {
  groupId: string
  organizationId: string
}

export interface PersonReport {
  id: string
  organizationId: string
  provider: string
  createdAtMs: number
  assets: { id: string; type: AssetType; name: string | null; status: AssetStatus; createdAtMs: number }[]
}

/** An erased group with its rows, and the vendor's ids of the copies. */
export interface ErasedGroup {
  groupId: string
  provider: string
  groupTicket: string
  /** Whether another organization has verified this person. The vendor then keeps the group. */
  isShared: boolean
  /** Whether the gateway asks the vendor to delete its copies. Otherwise the operator has to. */
  isQueued: boolean
  assets: { id: string; ticket: string }[]
  files: ErasedFile[]
}

export interface Consent {
  organizationName: string
  verifiedAtMs: number
  /** null: the consent is not revoked. */
  revokedAtMs: number | null
}

export interface Removal {
  provider: string
  kind: 'asset' | 'group'
  ticket: string
  organizationId: string
  /** Includes the claimed attempt. */
  attempts: number
}

/** Erases rows that name or show a person. Money, usage and tasks stay, under their ids. */
export interface ErasureStore {
  findPerson(group: GroupRef): Promise<PersonReport | undefined>
  listGroups(organizationId: string): Promise<string[]>
  /**
   * Erases the group, its assets and ended verifications, and withholds the results of its tasks. Copies at
   * `deletableProviders` are queued for removal in the same transaction.
   */
  eraseGroup(
    group: GroupRef,
    audit: NewAudit,
    deletableProviders: readonly string[],
  ): Promise<ErasedGroup | undefined>
  /** Finds the consent of any organization; undefined: the group was erased or never existed. */
  findConsent(groupId: string): Promise<Consent | undefined>
  /** Erases a group of any organization, on the person's wish. The audit row gets the organization. */
  revokeConsent(revocation: {
    groupId: string
    audit: NewAudit
    deletableProviders: readonly string[]
  }): Promise<ErasedGroup | undefined>
  /** Claims due copies until the lease ends, assets before their group, the longest due first. */
  claimRemovals(claim: {
    provider: string
    nowMs: number
    leaseUntilMs: number
    limit: number
  }): Promise<Removal[]>
  finishRemoval(removal: Pick<Removal, 'provider' | 'kind' | 'ticket'>): Promise<void>
  postponeRemoval(removal: Pick<Removal, 'provider' | 'kind' | 'ticket'> & { dueAtMs: number }): Promise<void>
  /** Disables the organization, revokes its keys, and erases its kept videos, metadata of tasks, and all names. */
  eraseOrganization(erasure: { id: string; atMs: number; audit: NewAudit }): Promise<ErasedFile[] | undefined>
  /** Returns the id of the user's organization. */
  eraseUser(erasure: { id: string; atMs: number; audit: NewAudit }): Promise<string | undefined>
}
