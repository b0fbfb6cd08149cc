import { expect, test } from 'vitest'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { keepAliases } from './keep-aliases.ts'

const ALIAS: ModelAlias = { alias: 'fast', model: 'vendorC/model-4.1', organizationId: null }

test('an alias that is stored is answered, although the models cannot be read for the message to replicas', async () => {
  const stored: ModelAlias[] = []
  const warnings: string[] = []
  const { setAlias } = keepAliases({
    ...{ clock: { nowMs: () => 0 }, newId: () => 'aud_1', actor: 'cli' },
    log: { warn: (event: string) => void warnings.push(event) },
    models: {
      aliases: async () => stored,
      setAlias: async (alias: ModelAlias) => stored.push(alias) > 0,
    },
    listModels: async () => {
      if (stored.length > 0) throw new Error('the store is unreachable')
      return []
    },
  } as never)
  expect(await setAlias(ALIAS)).toEqual({ ...ALIAS, was: null })
  expect(stored).toEqual([ALIAS])
  expect(warnings).toEqual(['prices.announce_failed'])
})
