import { describe, expect, test } from 'vitest'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from './sample-rows.ts'

const MODELS = builtInModels(MORNING_MS)
const FAST = { alias: 'fast', model: 'vendorC/model-4.1', organizationId: null }
const OWN = { alias: 'fast', model: 'vendorD/text-small', organizationId: 'org_1' }

export function describeModelAliases(opened: GetOpened): void {
  const models = () => opened().store.models
  const auditIds = async () => (await opened().store.audit.list({ limit: 20 })).map(({ id }) => id)

  describe('an alias', () => {
    test('is set for all or for one organization, gets another model, and is removed', async () => {
      await models().fillWhenEmpty(MODELS)
      expect(await models().setAlias(OWN, sampleAudit({ id: 'aud_0' }))).toBe(false)
      await opened().store.organizations.create(sampleOrganization(), sampleAudit({ id: 'aud_0' }))
      await models().setAlias(OWN, sampleAudit({ id: 'aud_1' }))
      await models().setAlias(FAST, sampleAudit({ id: 'aud_2' }))
      expect(await models().aliases()).toEqual([FAST, OWN])
      const moved = { ...FAST, model: 'vendorC/model-o3' }
      await models().setAlias(moved, sampleAudit({ id: 'aud_3' }))
      expect(await models().aliases()).toEqual([moved, OWN])
      expect(await models().removeAlias(OWN, sampleAudit({ id: 'aud_4' }))).toBe(true)
      expect(await models().removeAlias(OWN, sampleAudit({ id: 'aud_5' }))).toBe(false)
      expect(await models().aliases()).toEqual([moved])
      expect((await auditIds()).toSorted()).toEqual(['aud_0', 'aud_1', 'aud_2', 'aud_3', 'aud_4'])
    })

    test.each([
      ['with the name of a model', { ...FAST, alias: 'vendorC/model-o3' }, 'invalid_parameter'],
      ['of another alias', { ...FAST, alias: 'faster', model: 'fast' }, 'invalid_parameter'],
      ['of no model', { ...FAST, model: 'vendorC/none' }, 'not_found'],
    ])('%s is refused, and leaves no audit row', async (_what, alias, code) => {
      await models().fillWhenEmpty(MODELS)
      await models().setAlias(FAST, sampleAudit({ id: 'aud_1' }))
      await expect(models().setAlias(alias, sampleAudit({ id: 'aud_2' }))).rejects.toMatchObject({ code })
      expect(await models().aliases()).toEqual([FAST])
      expect(await auditIds()).toEqual(['aud_1'])
    })

    test('refuses its name to a new model', async () => {
      await models().fillWhenEmpty(MODELS)
      await models().setAlias({ ...FAST, alias: 'acme/fast' }, sampleAudit())
      const [first] = MODELS
      const model = { ...(first ?? expect.fail('no model')), modelId: 99, name: 'acme/fast' }
      await expect(models().apply([{ model, prices: [] }], sampleAudit())).rejects.toMatchObject({
        ...{ code: 'invalid_parameter', message: expect.stringContaining('is an alias of') },
      })
      expect(await models().find(99)).toBeUndefined()
    })

    test('of an organization is deleted when the organization is erased', async () => {
      await models().fillWhenEmpty(MODELS)
      await opened().store.organizations.create(sampleOrganization(), sampleAudit())
      await models().setAlias(OWN, sampleAudit())
      await models().setAlias(FAST, sampleAudit())
      await opened().store.erasures.eraseOrganization({ id: 'org_1', atMs: MORNING_MS, audit: sampleAudit() })
      expect(await models().aliases()).toEqual([FAST])
      expect(await models().setAlias(OWN, sampleAudit())).toBe(false)
    })
  })
}
