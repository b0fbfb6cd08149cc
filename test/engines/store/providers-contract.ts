import { describe, expect, test } from 'vitest'
import type { NewAudit } from '../../../src/ports/audit.ts'
import type { StoredProvider } from '../../../src/ports/providers.ts'
import type { GetOpened } from './opened-store.ts'
import { createOrganizations, sampleAsset, sampleAssetMove, sampleGroup } from './sample-asset.ts'
import { createFunded } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { begin } from './sample-task.ts'

const ACME: Omit<StoredProvider, 'version'> = {
  id: 'prov_1',
  name: 'acme',
  driver: 'text',
  settings: { base_url: 'https://api.acme.example', chat: { instructions: 'developer', leaves_out: ['n'] } },
  models: { large: { dialect: 'chat', upstream: 'acme-large' }, small: 'messages' },
  encryptedSecrets: 'sealed',
  state: 'active',
  createdAtMs: MORNING_MS,
  changedAtMs: MORNING_MS,
}
const BARE = { ...ACME, id: 'prov_2', name: 'Bare', settings: {}, models: null, encryptedSecrets: null }

let audits = 0
const audit = (action: string): NewAudit => ({
  id: `aud_p${String(++audits).padStart(4, '0')}`,
  atMs: MORNING_MS,
  actor: 'cli',
  action,
  organizationId: null,
  subject: 'acme',
  detail: {},
})

export function describeProviders(opened: GetOpened): void {
  const providers = () => opened().store.providers
  const actions = async () => {
    const rows = await opened().store.audit.list({ limit: 10 })
    return rows.map(({ action }) => action).filter((action) => action.startsWith('provider.'))
  }

  describe('providers', () => {
    test('are listed by name, and each change raises the version', async () => {
      expect(await providers().version()).toBe(0)
      expect(await providers().add(ACME, audit('provider.add'))).toBe(true)
      expect(await providers().add(BARE, audit('provider.add'))).toBe(true)
      expect(await providers().list()).toEqual([
        { ...BARE, version: 2 },
        { ...ACME, version: 1 },
      ])
      expect(await providers().version()).toBe(2)
    })

    test('have unique names, and a refused provider leaves no audit row', async () => {
      await providers().add(ACME, audit('provider.add'))
      expect(await providers().add({ ...BARE, name: 'acme' }, audit('provider.add'))).toBe(false)
      expect(await providers().list()).toMatchObject([{ id: 'prov_1' }])
      expect(await actions()).toEqual(['provider.add'])
    })

    test('are changed only from the current version', async () => {
      await providers().add(ACME, audit('provider.add'))
      const { name: _, createdAtMs, ...read } = { ...ACME, version: 1 }
      const off = { ...read, state: 'disabled', changedAtMs: MORNING_MS + 1 } as const
      expect(await providers().change(off, audit('provider.update'))).toBe(true)
      expect(await providers().change(off, audit('provider.update'))).toBe(false)
      expect(await providers().list()).toEqual([{ ...ACME, ...off, createdAtMs, version: 2 }])
      expect(await actions()).toEqual(['provider.update', 'provider.add'])
      expect(await providers().version()).toBeGreaterThan(1)
    })

    test('are removed once, and not while a video task of theirs is open', async () => {
      await providers().add({ ...ACME, name: 'vendorA' }, audit('provider.add'))
      await createFunded(opened().store, { balance: 10_000 })
      await begin(opened().store)
      const remove = () => providers().remove('vendorA', audit('provider.remove'))
      expect(await remove()).toEqual({ removed: false, work: { tasks: 1, assets: 0, copies: 0 } })
      await opened().runSql("update video_tasks set status = 'failed'")
      expect(await remove()).toMatchObject({ removed: true })
      expect(await remove()).toMatchObject({ removed: false })
      expect(await providers().list()).toEqual([])
      expect(await actions()).toEqual(['provider.remove', 'provider.add'])
    })

    test('are not removed while assets of theirs are processed, or copies of erased ones are not yet deleted', async () => {
      const { store } = opened()
      for (const name of ['vendorA', 'vendorX'])
        await providers().add({ ...ACME, id: `prov_${name}`, name }, audit('provider.add'))
      await createOrganizations(store, 'org_1')
      await store.assets.bindPerson(sampleGroup({ kind: 'person' }), undefined)
      for (const id of ['ast_1', 'ast_2'])
        await store.assets.create(sampleAsset({ id, ticket: `ticket-${id}` }), undefined)
      await store.assets.move(sampleAssetMove('active'))
      const remove = () => providers().remove('vendorA', audit('provider.remove'))
      expect(await remove()).toEqual({ removed: false, work: { tasks: 0, assets: 1, copies: 0 } })
      const group = { groupId: 'grp_1', organizationId: 'org_1' }
      await store.erasures.eraseGroup(group, audit('person.erase'), ['vendorA'])
      expect(await remove()).toEqual({ removed: false, work: { tasks: 0, assets: 0, copies: 3 } })
      expect(await providers().remove('vendorX', audit('provider.remove'))).toMatchObject({ removed: true })
      await opened().runSql("update providers set state = 'disabled'")
      expect(await remove()).toMatchObject({ removed: true })
      const removals = await store.audit.list({ action: 'provider.remove', limit: 2 })
      const givenUp = expect.objectContaining({ processing_assets: '0', erased_copies: '3' })
      expect(removals.map(({ detail }) => detail)).toContainEqual(givenUp)
      expect(await actions()).toEqual(['provider.remove', 'provider.remove', 'provider.add', 'provider.add'])
    })
  })
}
