import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { ASSET_STATUSES, type AssetStatus } from '../../../domain/assets/asset.ts'
import { ASSET_SORT_KEYS, type AssetQuery, SORT_ORDERS } from '../../../domain/assets/asset-query.ts'
import { readMember } from '../../body/request-body.ts'

const LIMIT_DEFAULT = 10
const LIMIT_MAX = 100

/** More pages than an organization has assets, and small enough that `(page - 1) * limit` is an exact number. */
export const PAGE_MAX = 1_000_000_000

/** Reads a query. An empty parameter counts as not given, but an empty `page` or `limit` is refused. */
export function parseListAssets(query: unknown): AssetQuery {
  return {
    groupId: parseGroupId(readText(query, 'group_id')),
    statuses: parseStatuses(readText(query, 'status')),
    name: parseName(readText(query, 'name')),
    page: parsePage(readValue(query, 'page')),
    limit: parseLimit(readValue(query, 'limit')),
    sortBy: parseWord(query, 'sort_by', ASSET_SORT_KEYS) ?? 'create_time',
    sortOrder: parseWord(query, 'sort_order', SORT_ORDERS) ?? 'desc',
  }
}

/** A repeated parameter is ambiguous: it is read as a value that the rules refuse. */
function readText(query: unknown, name: string): string | undefined {
  const value = readValue(query, name)
  if (value === undefined || value === '') return undefined
  return typeof value === 'string' ? value : REPEATED
}

const REPEATED = '\0'

/** Reads `status[]=active` as a repeated parameter: to ignore it would return more assets than requested. */
function readValue(query: unknown, name: string): unknown {
  const isInBrackets = Object.keys(Object(query)).some((key) => key.startsWith(`${name}[`))
  return isInBrackets ? REPEATED : readMember(query, name)
}

function parseGroupId(groupId: string | undefined): string | undefined {
  if (groupId === undefined || isStorable(groupId)) return groupId
  throw new ApiError('group_id_error', { param: 'group_id' })
}

function parseName(name: string | undefined): string | undefined {
  if (name === undefined || isStorable(name)) return name
  throw invalidParameter('name', 'name must be given once, without NUL characters.')
}

/** PostgreSQL cannot store a NUL character, and takes none in a search. */
function isStorable(text: string): boolean {
  return !text.includes('\0')
}

function parseStatuses(list: string | undefined): AssetStatus[] | undefined {
  if (list === undefined) return undefined
  const statuses = list.split(',').map((word) => {
    const status = ASSET_STATUSES.find((known) => known === word.trim())
    if (status === undefined) throw invalidParameter('status', 'status must be active, processing, or failed')
    return status
  })
  return [...new Set(statuses)]
}

function parsePage(page: unknown): number {
  if (page === undefined) return 1
  const number = readDigits(page)
  if (number !== undefined && number >= 1 && number <= PAGE_MAX) return number
  throw invalidParameter('page', `page must be an integer from 1 to ${PAGE_MAX}.`)
}

/** 0 means the default, like in the list of tasks. */
function parseLimit(limit: unknown): number {
  if (limit === undefined) return LIMIT_DEFAULT
  const number = readDigits(limit)
  if (number === undefined) throw invalidParameter('limit', 'limit must be an integer that is not negative.')
  return number === 0 ? LIMIT_DEFAULT : Math.min(number, LIMIT_MAX)
}

function readDigits(value: unknown): number | undefined {
  return typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : undefined
}

function parseWord<Word extends string>(
  query: unknown,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const given = readText(query, name)
  const word = words.find((known) => known === given)
  if (given === undefined || word !== undefined) return word
  throw invalidParameter(
    name,
    `${name} must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(words)}.`,
  )
}
