import { expect } from 'vitest'
import { planCatalog } from '../../../src/app/catalog/plan-catalog.ts'
import type { Operator } from '../../../src/app/operator.ts'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'

/** Use cases of models, which note what the commands ask for and answer from the built-in catalog. */
export function fakeCatalog(
  calls: unknown[],
  createdAtMs: number,
): Pick<
  Operator,
  | 'listModels'
  | 'removeModel'
  | 'addModel'
  | 'updateModel'
  | 'listAliases'
  | 'setAlias'
  | 'removeAlias'
  | 'planCatalog'
  | 'applyCatalog'
> {
  const planned = (name: string, change: 'new' | 'changed') => ({
    model: { ...(builtInModels(createdAtMs)[6] ?? expect.fail('no model')), name },
    ...{ change, differences: [{ what: 'published', from: null, to: 'no' }], warnings: [] },
  })
  return {
    async listModels() {
      calls.push(['listModels'])
      return builtInModels(createdAtMs)
    },
    async removeModel(name) {
      calls.push(['removeModel', name])
      return { ...(builtInModels(createdAtMs)[6] ?? expect.fail('no model')), name }
    },
    async addModel(text) {
      calls.push(['addModel', text])
      return planned('acme/new', 'new')
    },
    async updateModel(name, text) {
      calls.push(['updateModel', name, text])
      return planned(name, 'changed')
    },
    async listAliases() {
      return [
        { alias: 'fast', model: 'vendorC/model-4.1-mini', organizationId: null },
        { alias: 'film', model: 'vendorB/gen-v3', organizationId: 'org_1' },
      ]
    },
    async setAlias(alias) {
      calls.push(['setAlias', alias])
      return { ...alias, was: alias.alias === 'fast' ? 'vendorC/model-4.1-mini' : null }
    },
    async removeAlias(alias) {
      calls.push(['removeAlias', alias])
      return { ...alias, model: 'vendorC/model-4.1-mini' }
    },
    async planCatalog(entries) {
      calls.push(['planCatalog'])
      return planCatalog(entries, { stored: builtInModels(createdAtMs), nowMs: createdAtMs })
    },
    async applyCatalog(entries) {
      calls.push(['applyCatalog'])
      return planCatalog(entries, { stored: builtInModels(createdAtMs), nowMs: createdAtMs })
    },
  }
}
