import { REFERENCES_MAX, type Reference, type ReferencesFound } from '@sluice/dialects/canonical/references'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import { ApiError } from '../../../domain/api-error.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { VendorIds } from './vendor-ids.ts'

export type KeepToOwnIds = (command: TextCommand, route: TextRoute) => TextCommand | Promise<TextCommand>

/**
 * A vendor looks up ids in an account that all organizations share, so a request may name only ids that its own
 * organization received. Every other id is refused, whether another organization has it or it does not exist. Ids that the
 * request can do without are dropped instead, because clients repeat ids of other models and other days. Returns no
 * promise for a request that names no id.
 */
export function keepToOwnIds({ vendorIds }: { vendorIds: Pick<VendorIds, 'findForeign'> }): KeepToOwnIds {
  return (command, { provider, upstream }) => {
    const { endpoint, caller } = command
    if (provider.organizationId !== undefined) {
      if (provider.organizationId === caller.organizationId) return command
      // A model in another organization's account must look unknown to the caller.
      throw new ApiError('model_not_found', { param: 'model' })
    }
    if (upstream.dialect !== endpoint) return command
    const found = command.body.references()
    const { named, dispensable } = found
    if (named.length + dispensable.length === 0) return command
    const beyond = named[REFERENCES_MAX]
    if (beyond !== undefined) throw notFound(beyond, command)
    return checkIds(command, found, { organizationId: caller.organizationId, provider: provider.name })
  }

  async function checkIds(
    command: TextCommand,
    { named, dispensable }: ReferencesFound,
    scope: { organizationId: string; provider: string },
  ): Promise<TextCommand> {
    const looked = [...named, ...dispensable].slice(0, REFERENCES_MAX)
    const ids = looked.map(({ id }) => id)
    const foreign = await vendorIds.findForeign(scope, ids)
    const unknown = named.find(({ id }) => foreign.has(id))
    if (unknown !== undefined) throw notFound(unknown, command)
    const known = new Set(ids).difference(foreign)
    const dropped = new Set(dispensable.map(({ id }) => id)).difference(known)
    return dropped.size === 0 ? command : { ...command, body: command.body.withoutIds({ dropped, known }) }
  }
}

function notFound({ param, id }: Reference, { endpoint }: TextCommand): ApiError {
  const message = `${param}: nothing with the id '${id.slice(0, 100)}' was found.`
  const details = CLIENT_DIALECTS[endpoint].detailsOfUnknown?.(param)
  return new ApiError('invalid_parameter', { param, message, details })
}
