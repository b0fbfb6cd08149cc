import { useNavigate, useParams, useRouterState } from '@tanstack/react-router'

/** The pages in the order of the navigation; the keys `g` and the letter open a page. */
export const PAGES = [
  { name: 'overview', path: '/', letter: 'o' },
  { name: 'requests', path: '/requests', letter: 'r' },
  { name: 'video', path: '/video', letter: 'v' },
  { name: 'people', path: '/people', letter: 'p' },
  { name: 'assets', path: '/assets', letter: 'a' },
  { name: 'playground', path: '/playground', letter: 't' },
  { name: 'money', path: '/money', letter: 'm' },
  { name: 'customers', path: '/customers', letter: 'c' },
  { name: 'callbacks', path: '/callbacks', letter: 'b' },
  { name: 'live', path: '/live', letter: 'l' },
  { name: 'models', path: '/models', letter: 'd' },
  { name: 'system', path: '/system', letter: 's' },
] as const

export type PageName = (typeof PAGES)[number]['name']

/** Returns the path of an object's page, by the prefix of its id. */
export function pathOf(id: string): string | undefined {
  const kind = /^([a-z]+)_[\w:-]+$/.exec(id)?.[1]
  if (kind === undefined) return undefined
  const paths: Record<string, string> = {
    task: `/video/${id}`,
    org: `/customers/${id}`,
    group: `/people/${id}`,
    asset: `/assets?id=${id}`,
    ent: `/money?view=entry&id=${id}`,
    hold: `/money?hold_id=${id}`,
    req: `/requests?id=${id}`,
    use: `/money?view=trace&id=${id}`,
  }
  return paths[kind]
}

export type SearchValues = Record<string, string | undefined>

/** The filters of the page are in its address: a view can be sent as a link, and the back button undoes a filter. */
export function useFilters(): [SearchValues, (change: SearchValues) => void] {
  const search = useRouterState({ select: ({ location }) => location.search as SearchValues })
  const navigate = useNavigate()
  return [
    search,
    (change) => void navigate({ to: '.', search: { ...search, ...change } as never, replace: false }),
  ]
}

export function useId(): string {
  const { id }: { id?: string } = useParams({ strict: false })
  return id ?? ''
}
