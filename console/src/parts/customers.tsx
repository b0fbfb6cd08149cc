import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../api/call.ts'
import { useList, useRead } from '../api/hooks.ts'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import { useFilters } from './navigate.ts'
import { Id } from './values.tsx'
import '../styles/picker.css'

/** Link to the page of an organization, with its name, or with its id while the name is unknown. */
export function Customer({ id }: { id: string | null | undefined }) {
  return <Id id={id} name={useCustomerName(id)} />
}

export function useCustomerName(id: string | null | undefined): string | undefined {
  const { data } = useQuery({
    ...nameOf(id ?? ''),
    enabled: id !== null && id !== undefined && id !== '',
  })
  return data || undefined
}

/** Returns names by id. Names that the page shows need no request. */
export async function customerNames(
  client: QueryClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(ids)].filter((id) => id !== '')
  const names = await Promise.all(asked.map((id) => client.fetchQuery(nameOf(id))))
  return new Map(asked.map((id, index) => [id, names[index] ?? '']))
}

/** Reads the names of these customers, by id. Until they arrive, it returns the previous names, or none. */
export function useCustomerNamesOf(ids: readonly string[]): ReadonlyMap<string, string> {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['names of customers', ids],
    queryFn: () => customerNames(client, ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return data ?? NO_NAMES
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

function nameOf(id: string) {
  return { queryKey: ['name of a customer', id], queryFn: () => askName(id), staleTime: 60_000 }
}

const IDS_MAX = 100
let waiting: { id: string; found(name: Promise<string>): void }[] = []

/** Rows of one page share a request for their names. */
function askName(id: string): Promise<string> {
  return new Promise((found) => {
    waiting.push({ id, found })
    if (waiting.length === IDS_MAX) askAll()
    else if (waiting.length === 1) setTimeout(askAll)
  })
}

function askAll(): void {
  if (waiting.length === 0) return
  const asked = waiting
  waiting = []
  const ids = asked.map(({ id }) => id).join(',')
  const names = call('GET /organizations', { query: { ids, limit: IDS_MAX } }).then(
    ({ data }) => new Map(data.map(({ id, name }) => [id, name])),
  )
  for (const { id, found } of asked) found(names.then((byId) => byId.get(id) ?? ''))
}

export function CustomerFilter() {
  const t = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  return (
    <CustomerPicker
      label={t('organization')}
      none={t('allCustomers')}
      value={filters.organization_id ?? ''}
      onChoose={(id) => setFilters({ organization_id: id || undefined })}
    />
  )
}

interface PickerProps {
  label: string
  /** Label of the empty choice; left out: a choice is required. */
  none?: string
  value: string
  onChoose(id: string): void
}

const SHOWN_MAX = 20

/** A search field for one customer: the gateway searches by name or id while the operator types. */
export function CustomerPicker({ label, none, value, onChoose }: PickerProps) {
  const t = useWords(frameWords)
  const id = useId()
  const [text, setText] = useState<string>()
  const [place, setPlace] = useState(0)
  const isOpen = text !== undefined
  const chosen = useRead('GET /organizations/{id}', { id: value }, { enabled: value !== '' })
  const search = text?.trim() || undefined
  const { rows } = useList('GET /organizations', { search, limit: SHOWN_MAX }, { enabled: isOpen })
  const options = [
    ...(none !== undefined && search === undefined ? [{ id: '', name: none }] : []),
    ...(rows ?? []),
  ]
  const name = chosen.data?.id === value ? chosen.data.name || value : value
  const choose = (index: number) => {
    const option = options[index]
    if (option === undefined) return
    setText(undefined)
    onChoose(option.id)
  }
  const begin = () => {
    setText('')
    setPlace(0)
  }
  return (
    <div className="field picker">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        autoComplete="off"
        aria-expanded={isOpen}
        aria-autocomplete="list"
        {...(isOpen && { 'aria-controls': `${id}-list` })}
        {...(isOpen && options.length > 0 && { 'aria-activedescendant': `${id}-${place}` })}
        placeholder={isOpen ? name || t('customerHint') : (none ?? t('customerHint'))}
        value={text ?? name}
        onClick={() => !isOpen && begin()}
        onBlur={() => setText(undefined)}
        onChange={({ target }) => {
          setText(target.value)
          setPlace(0)
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step !== 0 && !isOpen) begin()
          else if (step !== 0) setPlace((place + step + options.length) % Math.max(1, options.length))
          else if (isOpen && event.key === 'Enter') choose(place)
          else if (isOpen && event.key === 'Escape') setText(undefined)
          else return
          event.preventDefault()
        }}
      />
      {isOpen && (
        <div id={`${id}-list`} role="listbox" aria-label={label}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above.
            <div
              key={option.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === place}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(index)}
            >
              {option.name || option.id}
            </div>
          ))}
          {rows?.length === 0 && <p className="muted">{t('nothingFound')}</p>}
        </div>
      )}
    </div>
  )
}
