import type { ModelAlias } from '../../domain/catalog/alias.ts'
import type { ModelStore } from '../../ports/models.ts'
import { noneToChange, noSuch } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { publishQuotaChange } from '../limits/sync/invalidations.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'

export function keepAliases(
  parts: AuditTools & Pick<Runtime, 'cache' | 'log'> & { models: ModelStore } & Pick<Operator, 'listModels'>,
): Pick<Operator, 'listAliases' | 'setAlias' | 'removeAlias'> {
  const { models, cache, log } = parts

  async function find({ alias, organizationId }: Omit<ModelAlias, 'model'>): Promise<ModelAlias | undefined> {
    const aliases = await models.aliases()
    return aliases.find((row) => row.alias === alias && row.organizationId === organizationId)
  }

  function draft(action: string, { alias, organizationId }: Omit<ModelAlias, 'model'>, detail: object) {
    return draftAudit({ action, organizationId, subject: alias, detail: { ...detail } }, parts)
  }

  /** Without this message, replicas see the stored change within 5 s. */
  const announce = (model: string) =>
    parts
      .listModels()
      .then((rows) => rows.find(({ name }) => name === model)?.modelId ?? 0)
      .then((id) => publishQuotaChange(cache, { kind: 'model', id }))
      .catch((error: unknown) => log.warn('prices.announce_failed', { error }))

  return {
    listAliases: () => models.aliases(),

    async setAlias(alias) {
      await parts.listModels()
      const before = await find(alias)
      const was = before?.model ?? null
      if (was === alias.model) return { ...alias, was }
      const audit = draft('alias.set', alias, { model: alias.model, ...(was && { was }) })
      const isSet = await models.setAlias(alias, audit)
      if (!isSet) throw noneToChange('organization', String(alias.organizationId))
      await announce(alias.model)
      return { ...alias, was }
    },

    async removeAlias(named) {
      const row = await find(named)
      const isRemoved =
        row !== undefined && (await models.removeAlias(row, draft('alias.remove', row, { model: row.model })))
      if (!isRemoved) throw noSuch('alias', named.alias)
      await announce(row.model)
      return row
    },
  }
}
