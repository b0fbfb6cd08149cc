import { describe, expect, test } from 'vitest'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'
import { NEW_MODEL_ID, type PricedModel } from '../../../src/domain/catalog/model.ts'
import type { NewAudit } from '../../../src/ports/audit.ts'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from './sample-rows.ts'

const TWO = renamed('vendorA/gen-2.0', { modelId: 2, name: 'vendorA/two' })
const TEN = renamed('vendorC/model-4.1', { modelId: 10, name: 'vendorC/ten' })

function renamed(builtIn: string, to: { modelId: number; name: string }): PricedModel {
  const row = builtInModels(MORNING_MS).find(({ name }) => name === builtIn)
  return { ...(row ?? expect.fail('no such model')), ...to }
}

const audit = (id: string): NewAudit => ({
  ...{ id, atMs: MORNING_MS, actor: 'cli', action: 'model.remove', organizationId: null },
  ...{ subject: 'vendorC/ten', detail: {} },
})

export function describeModelRemoval(opened: GetOpened): void {
  const models = () => opened().store.models
  const auditIds = async () => (await opened().store.audit.list({ limit: 10 })).map(({ id }) => id)

  test('a new model gets its number from the store, and no name that is in use', async () => {
    await models().fillWhenEmpty([TWO, TEN])
    const row = { ...TWO, modelId: NEW_MODEL_ID, name: 'vendorA/new', isUnpublished: true } as const
    const ids = await models().apply([{ model: row, prices: row.prices }], audit('aud_1'))
    expect(ids).toEqual([11])
    expect(await models().find(11)).toMatchObject({ name: 'vendorA/new', isUnpublished: true })
    const again = models().apply([{ model: row, prices: row.prices }], audit('aud_2'))
    await expect(again).rejects.toMatchObject({ code: 'invalid_parameter', param: 'name' })
  })

  describe('a removed model', () => {
    test('is deleted with its prices, leaves an audit row, and its number is free for another name', async () => {
      await models().fillWhenEmpty([TWO, TEN])
      await models().remove('vendorC/ten', audit('aud_1'))
      expect(await models().list()).toMatchObject([{ name: 'vendorA/two' }])
      expect(await auditIds()).toEqual(['aud_1'])
      await models().apply([{ model: { ...TEN, name: 'vendorC/new' }, prices: [] }], audit('aud_2'))
      expect(await models().find(10)).toMatchObject({ name: 'vendorC/new', prices: [] })
    })

    test('that does not exist leaves no audit row', async () => {
      await models().remove('vendorC/none', audit('aud_1'))
      expect(await auditIds()).toEqual([])
    })

    test('stays while a video task of it is open', async () => {
      await models().fillWhenEmpty([TWO, TEN])
      await opened().store.organizations.create(sampleOrganization(), sampleAudit())
      for (const [id, status, served] of [
        ['task_1', 'queued', "'vendorA/two'"],
        ['task_2', 'succeeded', 'null'],
        ['task_3', 'running', 'null'],
      ])
        await opened().runSql(`
          insert into video_tasks (id, api_key_id, organization_id, user_id, model, served_model, status, created_at_ms)
          values ('${id}', 'key_1', 'org_1', 'usr_1', 'vendorC/ten', ${served}, '${status}', ${MORNING_MS})`)
      const refused = (name: string) => expect(models().remove(name, audit('aud_1'))).rejects
      await refused('vendorC/ten').toThrow('2 video tasks of this model have not ended')
      await refused('vendorA/two').toThrow('1 video task of this model has not ended')
      expect(await models().list()).toHaveLength(2)
      expect(await auditIds()).not.toContain('aud_1')
    })

    test('stays while an alias or another model names it, also one that was added a moment before', async () => {
      await models().fillWhenEmpty([TWO, TEN])
      const alias = { alias: 'ten', model: 'vendorC/ten', organizationId: null }
      await models().setAlias(alias, audit('aud_1'))
      const removal = () => expect(models().remove('vendorC/ten', audit('aud_3'))).rejects
      await removal().toThrow('vendorC/ten was not removed: ten is an alias of it.')
      await models().removeAlias(alias, audit('aud_2'))
      for (const names of [
        { fallbacks: ['vendorC/ten'] },
        { standIns: ['vendorC/ten'] },
        { route: [{ model: 'vendorC/ten', weight: 1 }] },
      ]) {
        await models().apply(
          [{ model: { ...TWO, ...names }, prices: undefined }],
          audit(JSON.stringify(names)),
        )
        await removal().toThrow('vendorC/ten was not removed: vendorA/two names it')
      }
      expect(await models().list()).toHaveLength(2)
      expect(await auditIds()).not.toContain('aud_3')
    })

    test('a change that was planned before the removal cannot name the removed model', async () => {
      await models().fillWhenEmpty([TWO, TEN])
      await models().remove('vendorC/ten', audit('aud_1'))
      const model = { ...TWO, fallbacks: ['vendorC/ten'] }
      const change = { model, prices: undefined, before: TWO }
      expect(await models().apply([change], audit('aud_2'))).toBeUndefined()
      expect(await models().list()).toEqual([TWO])
      const own = { model: TEN, prices: [], before: null }
      expect(await models().apply([change, own], audit('aud_3'))).toEqual([2, 10])
    })
  })
}
