import type { SandboxClock } from '../../clock.ts'
import type { Call } from '../answer-call.ts'
import { readAssetId, type SandboxAsset } from '../asset.ts'
import { ASSET_STATUSES, stageOf } from '../asset-life.ts'
import { assetObject } from '../asset-object.ts'
import type { AssetState } from '../asset-state.ts'
import { type Fields, readProject } from '../fields.ts'
import { GROUP_TYPES, type GroupType } from '../group.ts'

const PAGE_SIZE_MAX = 100
const PAGE_NUMBER_MAX = 10_000

/** The assets that were made or read since the start, newest first by default. */
export function listAssets(state: AssetState, { fields, request }: Call): object {
  const filter = readFilter(fields.object('Filter'))
  const pageNumber = fields.count('PageNumber', { max: PAGE_NUMBER_MAX, otherwise: 1 })
  const pageSize = fields.count('PageSize', { max: PAGE_SIZE_MAX, otherwise: 10 })
  const sortBy = fields.choice('SortBy', ['CreateTime', 'UpdateTime', 'GroupId'], 'CreateTime')
  const sortOrder = fields.choice('SortOrder', ['Asc', 'Desc'], 'Desc')
  const project = readProject(fields)
  fields.nothingElse()

  const { clock } = request
  const found = state.created
    .ids()
    .toReversed()
    .map(readAssetId)
    .filter((asset) => asset !== undefined)
    .filter((asset) => asset.group.project === project && passes(asset, filter, clock))
  const compare = COMPARISONS[sortBy]
  const ascending = found.toSorted((one, other) => compare(one, other, clock))
  const inOrder = sortOrder === 'Asc' ? ascending : ascending.toReversed()
  const page = inOrder.slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
  return {
    Items: page.map((asset) => assetObject(asset, request)),
    TotalCount: found.length,
    PageNumber: pageNumber,
    PageSize: pageSize,
  }
}

interface Filter {
  groupIds: string[]
  groupType: GroupType | 'any'
  statuses: string[]
  name: string
}

function readFilter(fields: Fields): Filter {
  const filter = {
    groupIds: fields.texts('GroupIds', { countMax: 100 }),
    groupType: fields.choice('GroupType', GROUP_TYPES, 'any'),
    statuses: fields.choices('Statuses', ASSET_STATUSES),
    name: fields.text('Name', { charactersMax: 64, otherwise: '' }),
  }
  fields.nothingElse()
  return filter
}

function passes(asset: SandboxAsset, filter: Filter, clock: SandboxClock): boolean {
  const { groupIds, groupType, statuses, name } = filter
  return (
    (groupIds.length === 0 || groupIds.includes(asset.group.id)) &&
    (groupType === 'any' || groupType === asset.group.type) &&
    (statuses.length === 0 || statuses.includes(stageOf(asset, clock).status)) &&
    asset.name.toLowerCase().includes(name.toLowerCase())
  )
}

type Comparison = (one: SandboxAsset, other: SandboxAsset, clock: SandboxClock) => number

/** Compares in ascending order; equal assets keep the order in which they were made. `Desc` reverses both. */
const COMPARISONS = {
  CreateTime: (one, other) => one.startMs - other.startMs,
  UpdateTime: (one, other, clock) => stageOf(one, clock).atMs - stageOf(other, clock).atMs,
  GroupId: ({ group: one }, { group: other }) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
} satisfies Record<string, Comparison>
