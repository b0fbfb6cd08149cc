/** Each role includes the rights of the roles before it. */
export const ROLES = ['viewer', 'operator', 'owner'] as const

/** viewer: reads. operator: all but operators, prices, erasing and negative credit. owner: all. */
export type Role = (typeof ROLES)[number]

/** An operator with a name and a token of the admin API. Only the digest of the token is kept. */
export interface OperatorAccount {
  id: string
  /** Name in the audit log; unique, also after the operator was revoked. */
  name: string
  role: Role
  /** The first characters of the token, enough to recognise it and too few to use it. */
  prefix: string
  createdAtMs: number
  revokedAtMs: number | null
}

export function isRoleEnough(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

export const ADMIN_KEY_ACTOR = 'admin key'

const TAKEN_NAMES: readonly string[] = [ADMIN_KEY_ACTOR, 'admin-api', 'cli', 'gateway', 'console', 'person']

export const OPENID_ACTOR_START = 'openid:'

export function isTakenName(name: string): boolean {
  const plain = name.toLowerCase()
  return TAKEN_NAMES.includes(plain) || plain.startsWith(OPENID_ACTOR_START)
}
