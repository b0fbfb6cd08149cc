import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call, callAll, type Input, type Item, type ListRoute, type Reply, type Route } from './call.ts'

/** Reads one answer of the admin API. With `everyMs` it is read again at this interval while the tab is in view. */
export function useRead<Key extends Route>(
  route: Key,
  input: Omit<Input<Key>, 'signal'> = {},
  { everyMs, enabled = true }: { everyMs?: number; enabled?: boolean } = {},
) {
  return useQuery<Reply<Key>>({
    queryKey: [route, input],
    queryFn: ({ signal }) => call(route, { ...input, signal } as Input<Key>),
    refetchInterval: everyMs ?? false,
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** Reads a list in keyset pages, as one growing array. */
export function useList<Key extends ListRoute>(
  route: Key,
  query: Record<string, string | number | boolean | undefined> = {},
  { everyMs, enabled = true }: { everyMs?: number; enabled?: boolean } = {},
) {
  const found = useInfiniteQuery({
    queryKey: [route, query],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      call(route, {
        query: { limit: 100, ...query, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      } as unknown as Input<Key>),
    getNextPageParam: (last) => (last as { next_cursor: string }).next_cursor || undefined,
    refetchInterval: everyMs ?? false,
    enabled,
  })
  const rows = found.data?.pages.flatMap((page) => (page as unknown as { data: Item<Key>[] }).data)
  return { ...found, rows }
}

/** Maximum number of pages of usage sums; further rows are left out. */
const USAGE_PAGES_MAX = 6

/** Reads the usage sums of the first `USAGE_PAGES_MAX` pages. */
export async function readUsage(query: Record<string, string | undefined>, signal: AbortSignal) {
  return (await callAll('GET /usage', { ...query, limit: 1_000 }, { signal, pagesMax: USAGE_PAGES_MAX })).rows
}

/** Reads several lists at once, each page by page with `callAll`. The rows are there once all lists were read. */
export function useAll<Key extends ListRoute>(
  route: Key,
  queries: readonly Record<string, string | number | undefined>[],
  { enabled = true }: { enabled?: boolean } = {},
) {
  return useQuery({
    queryKey: ['all of', route, queries],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(queries.map((query) => callAll(route, query, { signal })))
      return { rows: lists.flatMap(({ rows }) => rows), isWhole: lists.every(({ isWhole }) => isWhole) }
    },
    enabled,
  })
}

/** Makes a change, after which the pages read their data again. */
export function useChange<Key extends Route>(route: Key) {
  const client = useQueryClient()
  return useMutation<Reply<Key>, Error, Omit<Input<Key>, 'signal'>>({
    mutationFn: (input) => call(route, input as Input<Key>),
    onSuccess: () => client.invalidateQueries(),
  })
}
