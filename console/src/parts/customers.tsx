import { useList } from '../api/hooks.ts'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import { Choice } from './fields.tsx'
import { useFilters } from './navigate.ts'

/** The name of an organization by its id; undefined while it is not known. */
export function useCustomerNames(): (id: string | null | undefined) => string | undefined {
  const { rows } = useList('GET /organizations')
  return (id) => rows?.find((row) => row.id === id)?.name
}

/** The first hundred by name; others are reached by their id in the address. */
export function CustomerFilter() {
  const t = useWords(frameWords)
  const { rows = [] } = useList('GET /organizations')
  const [filters, setFilters] = useFilters()
  const chosen = filters.organization_id ?? ''
  const known: (readonly [string, string])[] = rows
    .map(({ id, name }) => [id, name] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other))
  if (chosen !== '' && !known.some(([id]) => id === chosen)) known.push([chosen, chosen])
  return (
    <Choice
      label={t('organization')}
      value={chosen}
      options={[['', t('allCustomers')], ...known]}
      onChoose={(id) => setFilters({ organization_id: id || undefined })}
    />
  )
}
