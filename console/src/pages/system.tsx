import { Segments } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { frameWords } from '../words/frame.ts'
import { systemWords } from '../words/system.ts'
import { useWords } from '../words/words.ts'
import { Audit } from './audit.tsx'
import { Doctor, Providers } from './health.tsx'
import { Operators } from './operators.tsx'
import { Settings } from './settings.tsx'

const VIEWS = { providers: Providers, doctor: Doctor, settings: Settings, operators: Operators, audit: Audit }
const NAMES = Object.keys(VIEWS) as (keyof typeof VIEWS)[]

export function Page() {
  const t = useWords(systemWords)
  const frame = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  const view = NAMES.find((name) => name === filters.view) ?? 'providers'
  const View = VIEWS[view]
  return (
    <>
      <PageHead title={frame('system')} about={t('about')}>
        <Segments
          label={t('view')}
          value={view}
          options={NAMES.map((name) => [name, t(name)] as const)}
          onChoose={(name) => setFilters({ view: name })}
        />
      </PageHead>
      <View />
    </>
  )
}
