import { Refusal } from '../../domain/refusal.ts'
import { keepNumbers } from '../../llm/hub/keep-numbers.ts'
import type { Reference, ReferencesFound } from '../../llm/hub/references.ts'
import { referencesInMessages } from '../../llm/messages/references.ts'
import { referencesInResponses, withoutItemIds } from '../../llm/responses/references.ts'
import type { TextRoute } from './choose-route.ts'
import type { TextCommand } from './text-command.ts'
import type { VendorIds } from './vendor-ids.ts'

/** More than any conversation holds. */
const REFERENCES_MAX = 1_000

export type KeepToOwnIds = (command: TextCommand, route: TextRoute) => TextCommand | Promise<TextCommand>

/**
 * A vendor looks an id up in the account that every organization shares. So a request may name what its own organization
 * was given; everything else is refused, whether another organization has it or there is none. Ids that the request can
 * do without are left out instead: clients repeat those of other models and of other days. At once for a request that
 * names nothing.
 */
export function keepToOwnIds({ vendorIds }: { vendorIds: Pick<VendorIds, 'findForeign'> }): KeepToOwnIds {
  return (command, { provider, upstream }) => {
    const { endpoint, body, caller } = command
    if (provider.organizationId !== undefined) {
      if (provider.organizationId === caller.organizationId) return command
      // The models of another organization's account are not offered to this one.
      throw new Refusal('model_not_found', { param: 'model' })
    }
    if (upstream.dialect !== endpoint) return command
    const found =
      endpoint === 'responses' ? referencesInResponses(body.value) : referencesInMessages(body.value)
    const { named, dispensable } = found
    if (named.length + dispensable.length === 0) return command
    const beyond = named[REFERENCES_MAX]
    if (beyond !== undefined) throw notFound(beyond)
    return judge(command, found, { organizationId: caller.organizationId, provider: provider.name })
  }

  async function judge(
    command: TextCommand,
    { named, dispensable }: ReferencesFound,
    scope: { organizationId: string; provider: string },
  ): Promise<TextCommand> {
    const asked = [...named, ...dispensable].slice(0, REFERENCES_MAX)
    const foreign = await vendorIds.findForeign(
      scope,
      asked.map(({ id }) => id),
    )
    const unknown = named.find(({ id }) => foreign.has(id))
    if (unknown !== undefined) throw notFound(unknown)
    const known = new Set(asked.map(({ id }) => id)).difference(foreign)
    const dropped = new Set(dispensable.map(({ id }) => id)).difference(known)
    if (dropped.size === 0) return command
    const { body } = command
    const value = withoutItemIds(keepNumbers(body.value, body.bytes), dropped)
    return { ...command, body: { bytes: Buffer.from(JSON.stringify(value)), value } }
  }
}

function notFound({ param, id }: Reference): Refusal {
  const message = `${param}: nothing with the id '${id.slice(0, 100)}' was found.`
  // By this word the official client knows that it has to send the whole conversation.
  const isThread = param === 'thread.previous_message_id'
  return new Refusal('invalid_parameter', {
    param,
    message,
    ...(isThread ? { details: { error_code: 'thread_not_found' } } : {}),
  })
}
