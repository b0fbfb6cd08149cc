import { type AssetError, type AssetSnapshot, assetStatusOf } from '../../../domain/assets/asset.ts'
import { ASSET_FAILURES, assetFailureOf } from '../../../domain/assets/failure-codes.ts'
import type { Language } from '../../../domain/assets/verification-request.ts'
import type {
  AssetCreation,
  AssetDriver,
  CopyRemoval,
  NotMade,
  Unanswered,
} from '../../../ports/asset-driver.ts'
import { CALL_LIMITS, type CallLimits } from '../ask-vendor.ts'
import { looseNumber, looseRecord, looseText } from '../loose-value.ts'
import { readTicketId } from '../ticket-id.ts'
import { VendorAnswerError } from '../vendor-answer-error.ts'
import { toApiError, type VendorError } from '../vendor-error.ts'
import { webLink } from '../web-link.ts'
import { type ActionReply, callAction, type ServiceAccess } from './call-action.ts'
import { BUSY, cleanText, isBusy, isNotFound, readVendorError } from './map-failure.ts'
import { GROUP_TYPES, ORDER_WORDS, SORT_WORDS, STATUS_WORDS } from './wire.ts'

/** Driver of the service for assets and real persons. The ids of the service are the tickets. */
export function vendorAAssets(
  input: ServiceAccess & {
    /** Name of the field with the token of a verification. */
    tokenField: string
    limits?: CallLimits
  },
): AssetDriver {
  const { tokenField, limits = CALL_LIMITS, ...access } = input
  const { maxBytes } = limits
  const making = { totalTimeoutMs: limits.createTimeoutMs, maxBytes }
  const asking = { totalTimeoutMs: limits.readTimeoutMs, maxBytes }
  const secrets = () => [access.accessKey(), access.secretKey()]

  return {
    async createGroup({ organizationId: holder, name }) {
      const body = { Name: name, GroupType: GROUP_TYPES.default }
      const call = {
        action: 'CreateAssetGroup',
        operation: 'create-asset-group',
        holder,
        body,
        ...making,
      } as const
      const reply = await callAction(access, call)
      const groupTicket = reply.kind === 'result' ? readTicketId(reply.result.Id) : undefined
      return groupTicket === undefined ? notMade(reply, busyOrNot(reply)) : { kind: 'made', groupTicket }
    },

    async createAsset({ organizationId: holder, groupTicket, url, type, name }) {
      const body = { GroupId: groupTicket, URL: url, AssetType: type, Name: name }
      const call = { action: 'CreateAsset', operation: 'create-asset', holder, body, ...making } as const
      return judgeCreation(await callAction(access, call), [...secrets(), groupTicket])
    },

    async getAsset(ticket, organizationId) {
      const id = readTicketId(ticket)
      if (id === undefined) return unanswered(new Error('the ticket cannot be read'))
      const call = { action: 'GetAsset', operation: 'read-asset', body: { Id: id }, ...asking } as const
      const reply = await callAction(access, { ...call, holder: organizationId })
      if (reply.kind === 'error' && isNotFound(reply.code, 'asset')) return { kind: 'gone' }
      const isAbout = reply.kind === 'result' && (looseText(reply.result.Id) ?? id) === id
      // A response about another asset is dropped, because no client may see another's media.
      const snapshot = isAbout ? readAsset(reply.result, { secrets: secrets() }) : undefined
      return snapshot === undefined ? withoutAnswer(reply) : { kind: 'snapshot', snapshot }
    },

    async listAssets(question) {
      const { organizationId, groupTickets, groupKind, statuses, name, page, limit, sortBy, sortOrder } =
        question
      const body = {
        Filter: {
          GroupIds: groupTickets,
          GroupType: GROUP_TYPES[groupKind],
          Statuses: statuses?.map((status) => STATUS_WORDS[status]),
          Name: name,
        },
        PageNumber: page,
        PageSize: limit,
        SortBy: SORT_WORDS[sortBy],
        SortOrder: ORDER_WORDS[sortOrder],
      }
      const call = { action: 'ListAssets', operation: 'list-assets', body, ...asking } as const
      const reply = await callAction(access, { ...call, holder: organizationId })
      if (reply.kind !== 'result' || !Array.isArray(reply.result.Items)) return withoutAnswer(reply)
      const snapshots = readAssets(reply.result.Items, { secrets: secrets() })
      return { kind: 'page', snapshots, totalCount: looseNumber(reply.result.TotalCount) }
    },

    async startVerification({ organizationId: holder, returnUrl, language }) {
      const body = { CallbackURL: returnUrl }
      const operation = 'start-verification'
      const call = { action: 'CreateVisualValidateSession', operation, holder, body, ...making } as const
      const reply = await callAction(access, call)
      const token = reply.kind === 'result' ? looseText(reply.result[tokenField]) : undefined
      const link = reply.kind === 'result' ? webLink(reply.result.H5Link) : undefined
      if (token === undefined || link === undefined) return notMade(reply, busyOrNot(reply))
      return { kind: 'started', token, link: withLanguage(link, language) }
    },

    async exchange(token, organizationId, { isRepeat } = { isRepeat: false }) {
      const body = { [tokenField]: token }
      const operation = 'exchange-token'
      const call = { action: 'GetVisualValidateResult', operation, body, isRepeat, ...asking } as const
      const reply = await callAction(access, { ...call, holder: organizationId })
      if (reply.kind === 'result') {
        const groupTicket = readTicketId(reply.result.GroupId)
        return groupTicket === undefined ? { kind: 'no-group' } : { kind: 'group', groupTicket }
      }
      if (isGone(reply)) return { kind: 'no-group' }
      const { kind, ...why } = withoutAnswer(reply)
      return { kind: isWorthRepeating(reply) ? 'not-taken' : kind, ...why }
    },

    deleteAsset: (ticket, holder) =>
      remove({ action: 'DeleteAsset', operation: 'delete-asset', ticket, holder }),
    deleteGroup: (ticket, holder) =>
      remove({ action: 'DeleteAssetGroup', operation: 'delete-asset-group', ticket, holder }),
  }

  async function remove(input: {
    action: 'DeleteAsset' | 'DeleteAssetGroup'
    operation: string
    ticket: string
    holder: string
  }): Promise<CopyRemoval> {
    const { ticket, ...call } = input
    const id = readTicketId(ticket)
    if (id === undefined) return unanswered(new Error('the ticket cannot be read'))
    const reply = await callAction(access, { ...call, body: { Id: id }, ...asking })
    return reply.kind === 'result' || isGone(reply) ? { kind: 'removed' } : withoutAnswer(reply)
  }
}

function isGone(reply: ActionReply): boolean {
  return reply.kind === 'error' && (reply.status === 404 || /^NotFound/i.test(reply.code ?? ''))
}

function judgeCreation(reply: ActionReply, secrets: readonly string[]): AssetCreation {
  const ticket = reply.kind === 'result' ? readTicketId(reply.result.Id) : undefined
  if (ticket !== undefined) return { kind: 'accepted', ticket }
  if (reply.kind !== 'error') return notMade(reply, undefined)
  return isNotFound(reply.code, 'group')
    ? { kind: 'group-gone' }
    : notMade(reply, readVendorError(reply, secrets))
}

/** Returns the error of a call without data of a client, if the vendor was busy. Clients learn no other reason. */
function busyOrNot(reply: ActionReply): VendorError | undefined {
  return reply.kind === 'error' && isBusy(reply) ? BUSY : undefined
}

/** Returns `refused` with the vendor's error, or `failed` without an error, for which the caller chooses the answer. */
function notMade(reply: ActionReply, vendorError: VendorError | undefined): NotMade {
  const { cause, retryAfterMs } = withoutAnswer(reply)
  if (vendorError === undefined) return { kind: 'failed', cause, retryAfterMs }
  return { kind: 'refused', apiError: toApiError(vendorError, { retryAfterMs, cause }) }
}

/** Tells whether the call can be repeated: the vendor was not reached, was busy, or had a server error. */
function isWorthRepeating(reply: ActionReply): boolean {
  if (reply.kind === 'failure') return reply.failure.taken === 'no'
  return reply.kind === 'error' && (reply.status >= 500 || isBusy(reply))
}

function withoutAnswer(reply: ActionReply): Unanswered {
  switch (reply.kind) {
    case 'failure':
      return unanswered(reply.failure, reply.failure.retryAfterMs)
    case 'error':
      return unanswered(new VendorAnswerError('an error, or an unreadable answer', reply), reply.retryAfterMs)
    case 'result':
      return unanswered(new VendorAnswerError('an answer without the requested data', reply))
  }
}

function unanswered(cause: unknown, retryAfterMs?: number): Unanswered {
  return { kind: 'unanswered', cause, retryAfterMs }
}

/** Sets `lng` in the query of a link, whose credentials must keep their exact spelling. */
export function withLanguage(link: string, language: Language): string {
  const hash = link.indexOf('#')
  const [head, fragment] = hash === -1 ? [link, ''] : [link.slice(0, hash), link.slice(hash)]
  const mark = head.indexOf('?')
  const [address, query] = mark === -1 ? [head, ''] : [head.slice(0, mark), head.slice(mark + 1)]
  const others = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== 'lng')
  return `${address}?${[...others, `lng=${language}`].join('&')}${fragment}`
}

/** Reads an asset object. Returns undefined when it has no status. */
export function readAsset(value: unknown, input: { secrets: readonly string[] }): AssetSnapshot | undefined {
  const { secrets } = input
  const asset = looseRecord(value)
  const word = looseText(asset.Status)
  if (word === undefined) return undefined
  const status = assetStatusOf(word)
  if (status === 'failed') return { status, url: undefined, error: readError(asset.Error, secrets) }
  // An active asset without a link counts as processing: the next response may have the link, a failure would be final.
  const url = status === 'active' ? webLink(asset.URL) : undefined
  return { status: url === undefined ? 'processing' : 'active', url, error: undefined }
}

/** Reads the assets of a list by ticket. Items without id or status are left out. */
export function readAssets(
  items: unknown,
  { secrets }: { secrets: readonly string[] },
): Map<string, AssetSnapshot> {
  const found = new Map<string, AssetSnapshot>()
  for (const item of Array.isArray(items) ? items : []) {
    const ticket = readTicketId(looseRecord(item).Id)
    const snapshot = readAsset(item, { secrets })
    if (ticket !== undefined && snapshot !== undefined) found.set(ticket, snapshot)
  }
  return found
}

function readError(error: unknown, secrets: readonly string[]): AssetError {
  const code = assetFailureOf(looseText(looseRecord(error).Code))
  const message = cleanText(looseText(looseRecord(error).Message), secrets)
  return { code, message: message ?? ASSET_FAILURES[code] }
}
