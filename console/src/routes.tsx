import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Frame, NotFound } from './parts/frame.tsx'
import { Failure, Skeleton } from './parts/states.tsx'

export type Search = Record<string, string | undefined>

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => (
    <Failure
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => location.reload()}
    />
  ),
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
})

const pages = [
  page('/', () => import('./pages/overview.tsx')),
  page('/models', () => import('./pages/models.tsx')),
  page('/requests', () => import('./pages/requests.tsx')),
  page('/video', () => import('./pages/video.tsx')),
  page('/video/$id', () => import('./pages/task.tsx')),
  page('/people', () => import('./pages/people.tsx')),
  page('/people/$id', () => import('./pages/person.tsx')),
  page('/assets', () => import('./pages/assets.tsx')),
  page('/system', () => import('./pages/system.tsx')),
  page('/playground', () => import('./pages/playground.tsx')),
  page('/money', () => import('./pages/money.tsx')),
  page('/callbacks', () => import('./pages/callbacks.tsx')),
  page('/live', () => import('./pages/live.tsx')),
  page('/customers', () => import('./pages/customers.tsx')),
  page('/customers/$id', () => import('./pages/customer.tsx')),
]

/** Every page is its own chunk, so that the sign-in page stays small. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: Skeleton,
  defaultPendingMs: 0,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(search) {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    return given.length === 0
      ? ''
      : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
  },
})

function page(path: string, load: () => Promise<{ Page: () => React.ReactNode }>) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, 'Page'),
  })
}
