import { ApiError } from '../../domain/api-error.ts'
import { counted } from '../../domain/counted.ts'
import type { ProviderMembers, ProviderStore, ProviderWork, StoredProvider } from '../../ports/providers.ts'
import { noSuch, requireRow } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Runtime } from '../runtime.ts'
import { announceProviders } from './announce-providers.ts'
import { columnsOf, membersOf } from './provider-secrets.ts'
import { type ProviderView, viewOfStored } from './provider-view.ts'

type ProviderState = StoredProvider['state']

interface ProviderCommand {
  name: string
  members: ProviderMembers
}

export interface KeepProviders {
  /** Lists the providers of `sluice.yaml` and of the store; without any, those of the sandbox. */
  listProviders(): Promise<ProviderView[]>
  showProvider(name: string): Promise<ProviderView>
  /** Rejects with `provider_name_in_use` for a name in the store, with `provider_from_file` for a name in `sluice.yaml`. */
  addProvider(command: ProviderCommand & { state: ProviderState }): Promise<ProviderView>
  /** Replaces the given members as a whole; null removes a member, and all others stay. */
  updateProvider(command: ProviderCommand & { state: ProviderState | undefined }): Promise<ProviderView>
  /** Rejects with `provider_in_use` while the provider has work. */
  removeProvider(name: string): Promise<ProviderView>
}

export interface KeepProvidersTools extends AuditTools, Pick<Runtime, 'cache' | 'log' | 'secrets'> {
  providers: ProviderStore
  /** Rejects with an `ApiError` for settings that cannot be used. */
  checkMembers(name: string, members: ProviderMembers): Promise<void>
  listOthers(stored: { isEmpty: boolean }): readonly ProviderView[]
}

const CHANGE_ATTEMPTS = 5

export function keepProviders(tools: KeepProvidersTools): KeepProviders {
  const { providers, secrets, checkMembers, listOthers } = tools
  const isOfFile = (name: string) =>
    listOthers({ isEmpty: false }).some((other) => other.name === name && other.source === 'file')
  const view = (row: StoredProvider) => viewOfStored(row, { secrets, isShadowed: isOfFile(row.name) })
  const find = async (name: string) => (await providers.list()).find((row) => row.name === name)

  async function findToChange(name: string): Promise<StoredProvider> {
    if (isOfFile(name)) throw new ApiError('provider_from_file')
    return requireRow(await find(name), 'provider', name)
  }

  function audit(action: string, subject: string, detail: Readonly<Record<string, string>>) {
    return draftAudit({ action, organizationId: null, subject, detail }, tools)
  }

  async function stored(name: string): Promise<ProviderView> {
    await announceProviders(tools)
    const row = requireRow(await find(name), 'provider', name)
    return view(row)
  }

  async function listProviders(): Promise<ProviderView[]> {
    const rows = await providers.list()
    return [...listOthers({ isEmpty: rows.length === 0 }), ...rows.map(view)]
  }

  return {
    listProviders,
    async showProvider(name) {
      const found = (await listProviders()).find((each) => each.name === name)
      return requireRow(found, 'provider', name)
    },
    async addProvider({ name, members, state }) {
      if (isOfFile(name)) throw new ApiError('provider_from_file')
      await checkMembers(name, members)
      const nowMs = tools.clock.nowMs()
      const row = { ...columnsOf(tools.newId('prov'), members, secrets), name, state }
      const detail = { driver: row.driver, base_url: String(row.settings.base_url ?? ''), state }
      const isAdded = await providers.add(
        { ...row, createdAtMs: nowMs, changedAtMs: nowMs },
        audit('provider.add', name, detail),
      )
      if (!isAdded) throw new ApiError('provider_name_in_use')
      return stored(name)
    },
    /** When another operator changes the row between the read and the write, the row is read again. */
    async updateProvider({ name, members, state }) {
      for (let attempt = 0; attempt < CHANGE_ATTEMPTS; attempt++) {
        const row = await findToChange(name)
        const before = membersOf(row, secrets) ?? { driver: row.driver, ...row.settings, models: row.models }
        const after = Object.keys(members).length === 0 ? before : replaceMembers(before, members)
        if (after !== before) await checkMembers(name, after)
        // A change of the state alone keeps the columns, because the secret members may be undecryptable here.
        const columns = after === before ? row : { ...row, ...columnsOf(row.id, after, secrets) }
        const isChanged = await providers.change(
          { ...columns, state: state ?? row.state, changedAtMs: tools.clock.nowMs() },
          audit('provider.update', name, describeChange(members, after, state)),
        )
        if (isChanged) return stored(name)
      }
      throw new ApiError('store_unavailable')
    },
    async removeProvider(name) {
      const row = await find(name)
      if (row === undefined)
        throw isOfFile(name) ? new ApiError('provider_from_file') : noSuch('provider', name)
      const { removed, work } = await providers.remove(name, audit('provider.remove', name, {}))
      if (!removed) throw inUse(name, work) ?? noSuch('provider', name)
      await announceProviders(tools)
      return view(row)
    },
  }
}

/** Each of `api_key` and `api_keys` replaces the other. */
function replaceMembers(before: ProviderMembers, changes: ProviderMembers): ProviderMembers {
  const dropped = new Set(Object.keys(changes).filter((name) => changes[name] === null))
  if (changes.api_key != null) dropped.add('api_keys')
  if (changes.api_keys != null) dropped.add('api_key')
  for (const name of Object.keys(changes)) if (changes[name] != null) dropped.delete(name)
  const merged = { ...before, ...changes }
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !dropped.has(name)))
}

/** Names the changed members; only the address and the state are shown with their values. */
function describeChange(
  changes: ProviderMembers,
  { base_url: baseUrl }: ProviderMembers,
  state: ProviderState | undefined,
): Record<string, string> {
  const names = Object.keys(changes).toSorted()
  return {
    ...(names.length > 0 && { members: names.join(', ') }),
    ...(names.includes('base_url') && { base_url: String(baseUrl) }),
    ...(state !== undefined && { state }),
  }
}

/** A disabled provider finishes its tasks, but polls no assets and deletes no copies. undefined: there is no work. */
function inUse(name: string, { tasks, assets, copies }: ProviderWork): ApiError | undefined {
  const work = [
    ...(tasks > 0 ? [counted(tasks, 'open video task')] : []),
    ...(assets > 0 ? [counted(assets, 'processing asset')] : []),
    ...(copies > 0 ? [`${counted(copies, 'erased copy', 'erased copies')} to delete at the vendor`] : []),
  ]
  if (work.length === 0) return undefined
  const [first, last] =
    assets + copies > 0 ? ['Keep it enabled', ' To give that work up, disable it.'] : ['Disable it', '']
  return new ApiError('provider_in_use', {
    message: `The provider ${name} was not removed: it still has ${work.join(', ')}. ${first}, wait until that work is done, and try again.${last}`,
  })
}
