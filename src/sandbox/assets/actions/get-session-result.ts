import type { Call } from '../answer-call.ts'
import type { AssetDesk } from '../asset-desk.ts'
import { notFound } from '../call-refused.ts'
import { personGroup } from '../group.ts'
import { isExpired, readToken } from '../session.ts'
import { RESULTS, TOKEN_FIELD } from '../verify/endings.ts'
import { readProject } from './read-project.ts'

/** Gives the person's group for the token of a check that went well, once. */
export function getSessionResult(desk: AssetDesk, { fields, request }: Call): object {
  const token = fields.text(TOKEN_FIELD, { charactersMax: 5_000 })
  const project = readProject(fields)
  fields.nothingElse()
  const session = readToken(token)
  const ended = desk.ended.get(token)
  const isKnown = session?.project === project && !isExpired(session, request.clock)
  if (!isKnown || ended === undefined || ended.isExchanged || !RESULTS[ended.ending].hasGroup) {
    throw notFound(TOKEN_FIELD, token)
  }
  desk.ended.set(token, { ...ended, isExchanged: true })
  return { GroupId: personGroup({ project, person: ended.person }).id }
}
