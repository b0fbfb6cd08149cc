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
  assets: { id: string; ticket: string }[]
}

/** Removes what names or shows a person. Money, usage and tasks stay, under their ids. */
export interface ErasureStore {
  findPerson(group: GroupRef): Promise<PersonReport | undefined>
  /** The ids of all groups of an organization. */
  listGroups(organizationId: string): Promise<string[]>
  /** The group, its assets and ended verifications. Undefined when there is no such group. */
  eraseGroup(group: GroupRef, audit: NewAudit): Promise<ErasedGroup | undefined>
  /** Its names and those of its users and keys; all of them are stopped. False when there is no such organization. */
  eraseOrganization(erasure: { id: string; atMs: number; audit: NewAudit }): Promise<boolean>
  /** The organization of the user; undefined when there is no such user. */
  eraseUser(erasure: { id: string; atMs: number; audit: NewAudit }): Promise<string | undefined>
}
