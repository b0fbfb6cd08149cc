import type { Operator } from '../../../src/app/operator.ts'
import type { ApiKey } from '../../../src/domain/access/api-key.ts'
import type { Organization, User } from '../../../src/domain/access/organization.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { LoggedRequest } from '../../../src/ports/request-log.ts'

type Lifecycle = Pick<
  Operator,
  | 'updateOrganization'
  | 'disableOrganization'
  | 'enableOrganization'
  | 'disableUser'
  | 'enableUser'
  | 'rotateKey'
  | 'setBudget'
  | 'showBudget'
  | 'setKeyBudget'
  | 'showKeyBudget'
  | 'showPerson'
  | 'erasePerson'
  | 'eraseOrganization'
  | 'eraseUser'
  | 'listRequests'
  | 'showBody'
  | 'listDemo'
  | 'removeDemo'
>

export const PERSON = {
  ...{ id: 'group_1', organizationId: 'org_1', kind: 'person' as const },
  ...{ provider: 'vendorA', ticket: 'vendor-group-1', createdAtMs: Date.UTC(2026, 0, 2, 3, 4, 5) },
}

const LOGGED: LoggedRequest = {
  ...{ id: 'use_1', requestId: 'req_1', atMs: Date.UTC(2026, 0, 2, 3, 4, 5), operation: 'messages' },
  ...{ organizationId: 'org_1', keyId: 'key_1', userId: 'usr_1', model: 'vendorD/text-small' },
  ...{ servedBy: 'vendorD/text-small', provider: 'vendorD', status: 200, code: 'provider_unavailable' },
  ...{ inputTokens: 3, outputTokens: 4, costMicros: micros(1_234), firstTokenMs: 12, durationMs: 34 },
  ...{ taskId: null, notKept: null },
}

/** Fake use cases that change, disable and erase organizations and users, and list requests. */
export function fakeLifecycle(
  calls: unknown[],
  { organization, user, apiKey }: { organization: Organization; user: User; apiKey: ApiKey },
): Lifecycle {
  const budget = {
    organizationId: organization.id,
    month: '2026-01',
    monthlyBudgetMicros: null,
    warnPercent: null,
    usedMicros: micros(1_500_000),
    heldMicros: micros(1),
  }
  const erased = {
    groupId: 'group_1',
    provider: 'vendorA',
    groupTicket: 'vendor-group-1',
    isShared: false,
    isQueued: false,
    assets: [{ id: 'asset_1', ticket: 'vendor-asset-1' }],
    files: [{ taskId: 'task_1', sha256: 'ab'.repeat(32) }],
  }
  return {
    listDemo: async () => ['org_1'],
    async removeDemo() {
      calls.push(['removeDemo'])
      return { organizationIds: ['org_1'] }
    },
    async listRequests(query) {
      calls.push(['listRequests', query])
      return { requests: [LOGGED], nextCursor: undefined }
    },
    async showBody(requestId) {
      calls.push(['showBody', requestId])
      return { organizationId: 'org_1', request: '{}', response: null, truncated: false }
    },
    async showPerson(group) {
      calls.push(['showPerson', group])
      const { createdAtMs } = organization
      const asset = { id: 'asset_1', type: 'Image', name: null, status: 'active', createdAtMs } as const
      return {
        ...{ id: group.groupId, organizationId: group.organizationId, provider: 'vendorA', createdAtMs },
        consentUrl: 'https://gate.example/consent',
        assets: [asset],
      }
    },
    async erasePerson(group) {
      calls.push(['erasePerson', group])
      return { ...erased, isShared: group.groupId === 'group_2', isQueued: group.groupId === 'group_3' }
    },
    async eraseOrganization(id) {
      calls.push(['eraseOrganization', id])
      return { id, groups: [erased], files: [] }
    },
    async eraseUser(id) {
      calls.push(['eraseUser', id])
      return { id, organizationId: 'org_1' }
    },
    async setBudget(command) {
      calls.push(['setBudget', command])
      return { ...budget, ...command }
    },
    async showBudget(id) {
      calls.push(['showBudget', id])
      return budget
    },
    async setKeyBudget({ id, monthlyBudgetMicros }) {
      calls.push(['setKeyBudget', { id, monthlyBudgetMicros }])
      return { ...budget, keyId: id, monthlyBudgetMicros }
    },
    async showKeyBudget(id) {
      calls.push(['showKeyBudget', id])
      return { ...budget, keyId: id, usedMicros: micros(0) }
    },
    async rotateKey(command) {
      calls.push(['rotateKey', command])
      const old = { ...apiKey, expiresAtMs: apiKey.createdAtMs + command.overlapMs }
      return { apiKey: { ...apiKey, id: 'key_2' }, key: 'sk-sluice-New', old }
    },
    async updateOrganization(change) {
      calls.push(['updateOrganization', change])
      const given = Object.entries(change).filter(([, value]) => value !== undefined)
      return { ...organization, ...Object.fromEntries(given) }
    },
    async disableOrganization(id) {
      calls.push(['disableOrganization', id])
      return { ...organization, disabledAtMs: organization.createdAtMs }
    },
    async enableOrganization(id) {
      calls.push(['enableOrganization', id])
      return organization
    },
    async disableUser(id) {
      calls.push(['disableUser', id])
      return { ...user, disabledAtMs: organization.createdAtMs }
    },
    async enableUser(id) {
      calls.push(['enableUser', id])
      return user
    },
  }
}
