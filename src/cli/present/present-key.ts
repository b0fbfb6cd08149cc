import type { ApiKey } from '../../domain/access/api-key.ts'
import { presentTime } from './format-duration.ts'

export function keyJson(apiKey: ApiKey) {
  return {
    id: apiKey.id,
    prefix: apiKey.prefix,
    organization_id: apiKey.organizationId,
    user_id: apiKey.userId,
    name: apiKey.name,
    requests_per_minute: apiKey.requestsPerMinute,
    created_at: presentTime(apiKey.createdAtMs),
    revoked_at: apiKey.revokedAtMs === null ? null : presentTime(apiKey.revokedAtMs),
  }
}

export function keyRow(apiKey: ApiKey): Record<string, string> {
  return {
    ID: apiKey.id,
    PREFIX: apiKey.prefix,
    USER: apiKey.userId,
    NAME: apiKey.name || '-',
    'REQUESTS/MIN': apiKey.requestsPerMinute?.toString() ?? '-',
    CREATED: presentTime(apiKey.createdAtMs),
    REVOKED: apiKey.revokedAtMs === null ? '-' : presentTime(apiKey.revokedAtMs),
  }
}
