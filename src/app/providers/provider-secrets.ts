import { isJsonObject } from '@sluice/dialects/json/json-object'
import type { ProviderMembers, StoredProvider } from '../../ports/providers.ts'
import type { Secrets } from '../../ports/secrets.ts'

/** Members of a provider, or of a mapping in it, that are secrets. A test compares them with the drivers' fields. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['api_key', 'api_keys', 'access_key', 'secret_key'])

export const providerSecretsBoundTo = (id: string): string => `provider ${id}`

/** Separates secrets from the members that may be shown. */
export function splitSecrets(members: ProviderMembers): { open: ProviderMembers; secrets: ProviderMembers } {
  const open: Record<string, unknown> = {}
  const secrets: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) {
    if (SECRET_MEMBERS.has(name)) secrets[name] = value
    else if (isJsonObject(value)) {
      const inner = splitSecrets(value)
      open[name] = inner.open
      if (Object.keys(inner.secrets).length > 0) secrets[name] = inner.secrets
    } else open[name] = value
  }
  return { open, secrets }
}

export function joinSecrets(open: ProviderMembers, secrets: ProviderMembers): ProviderMembers {
  const joined: Record<string, unknown> = { ...open }
  for (const [name, value] of Object.entries(secrets)) {
    const beside = joined[name]
    joined[name] = isJsonObject(value) && isJsonObject(beside) ? joinSecrets(beside, value) : value
  }
  return joined
}

/** Returns all members of a stored provider, with its secrets; undefined: neither secret of the deployment decrypts them. */
export function membersOf(
  provider: Pick<StoredProvider, 'id' | 'driver' | 'settings' | 'models' | 'encryptedSecrets'>,
  { decrypt }: Pick<Secrets, 'decrypt'>,
): ProviderMembers | undefined {
  const { id, driver, settings, models, encryptedSecrets } = provider
  const open = { driver, ...settings, ...(models !== null && { models }) }
  if (encryptedSecrets === null) return open
  const secrets = decrypt(encryptedSecrets, providerSecretsBoundTo(id))
  return secrets === undefined ? undefined : joinSecrets(open, JSON.parse(secrets))
}

export function columnsOf(
  id: string,
  { driver, models = null, ...members }: ProviderMembers,
  { encrypt }: Pick<Secrets, 'encrypt'>,
): Pick<StoredProvider, 'id' | 'driver' | 'settings' | 'models' | 'encryptedSecrets'> {
  const { open, secrets } = splitSecrets(members)
  const hasSecrets = Object.keys(secrets).length > 0
  return {
    id,
    driver: String(driver),
    settings: open,
    models,
    encryptedSecrets: hasSecrets ? encrypt(JSON.stringify(secrets), providerSecretsBoundTo(id)) : null,
  }
}

/** The last four characters of a shorter key would reveal it. */
const HINTED_LENGTH_MIN = 12

/** Returns the last four characters of each key, or `****` for a short one, in the order of the keys. */
export function keyHintsOf({ api_key: one, api_keys: several }: ProviderMembers): string[] {
  const keys = Array.isArray(several) ? several : [one]
  return keys.flatMap((entry) => {
    const key = isJsonObject(entry) ? entry.key : entry
    if (key === undefined || key === null) return []
    return [hintOf(String(key))]
  })
}

export function hintOf(key: string): string {
  return key.length < HINTED_LENGTH_MIN ? '****' : key.slice(-4)
}
