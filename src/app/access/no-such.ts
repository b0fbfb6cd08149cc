import { ApiError } from '../../domain/api-error.ts'

const LISTED_BY = {
  organization: 'sluice org list',
  user: 'sluice user list --org ID',
  key: 'sluice key list --org ID',
  task: 'sluice task list',
  operator: 'sluice operator list',
  provider: 'sluice provider list',
  model: 'sluice model list',
  alias: 'sluice model list',
  event: 'sluice events list',
} as const

export function noSuch(what: keyof typeof LISTED_BY, id: string): ApiError {
  return new ApiError('not_found', {
    message: `There is no ${what} ${id}.`,
    command: `"${LISTED_BY[what]}" shows them.`,
  })
}

/** Returns the row, or throws when there is none. */
export function requireRow<Row>(row: Row | undefined, what: keyof typeof LISTED_BY, id: string): Row {
  if (row === undefined) throw noSuch(what, id)
  return row
}

/** Error for a change that finds no row. An erased row can be read, but never changed. */
export function noneToChange(what: 'organization' | 'user', id: string): ApiError {
  const erased = what === 'organization' ? 'it' : 'the user or the organization'
  return new ApiError('not_found', {
    message: `There is no ${what} ${id}, or ${erased} was erased. Nothing was changed.`,
    command: `"${LISTED_BY[what]}" shows them.`,
  })
}
