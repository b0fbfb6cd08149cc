import { focusManager, QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { call, Refusal } from './api/call.ts'
import { SessionContext } from './api/session.ts'
import { SignIn } from './pages/sign-in.tsx'
import { Failure, Skeleton } from './parts/states.tsx'
import { router } from './routes.tsx'

const RETRIES_MAX = 2

/** A query that is answered 401 means that the session is over: the sign-in page then replaces the page. */
const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      if (isOver(error) && query.queryKey[0] !== SESSION[0])
        void client.invalidateQueries({ queryKey: SESSION })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < RETRIES_MAX && error instanceof Refusal && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
  },
})

const SESSION = ['GET /session'] as const

/** An unattended tab stops polling, so that its session ends when it is idle. */
const UNATTENDED_MS = 10 * 60_000
let unattended: ReturnType<typeof setTimeout> | undefined
const attend = () => {
  clearTimeout(unattended)
  focusManager.setFocused(undefined)
  unattended = setTimeout(() => focusManager.setFocused(false), UNATTENDED_MS)
}
attend()
for (const name of ['pointerdown', 'keydown', 'visibilitychange']) document.addEventListener(name, attend)

export function App() {
  return (
    <QueryClientProvider client={client}>
      <Door />
    </QueryClientProvider>
  )
}

function Door() {
  const session = useQuery({
    queryKey: SESSION,
    queryFn: ({ signal }) => findSession(signal),
    refetchInterval: 60_000,
  })
  if (session.error !== null && !isOver(session.error))
    return session.error instanceof Refusal && session.error.status === 404 ? (
      <SignIn reason="disabled" onSignedIn={() => undefined} />
    ) : (
      <main className="main">
        <Failure error={session.error} onRetry={() => session.refetch()} />
      </main>
    )
  if (session.isPending) return <Skeleton />
  if (session.error !== null || session.data === undefined) {
    const reason = session.data === undefined ? undefined : 'signedOut'
    return <SignIn reason={reason} onSignedIn={(found) => client.setQueryData(SESSION, found)} />
  }
  return (
    <SessionContext value={{ ...session.data, leave }}>
      <RouterProvider router={router} />
    </SessionContext>
  )
}

/** Asks first whether an operator is signed in: `GET /session` would answer 401, which browsers log as an error. */
async function findSession(signal: AbortSignal) {
  const { signed_in } = await call('GET /session/methods', { signal })
  if (!signed_in) throw new Refusal(401, '')
  return call('GET /session', { signal })
}

/** The data belongs to the operator who signed out: nothing of it stays in this tab. */
async function leave(): Promise<void> {
  await call('DELETE /session')
  location.assign('/console/')
}

function isOver(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401
}
