import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call, type Input, type Item, type ListRoute, type Reply, type Route } from './call.ts'

/** Reads one answer of the admin API, with `everyMs` again and again at this interval while the page is open. */
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

/** Makes a change, after which the pages read their data again. */
export function useChange<Key extends Route>(route: Key) {
  const client = useQueryClient()
  return useMutation<Reply<Key>, Error, Omit<Input<Key>, 'signal'>>({
    mutationFn: (input) => call(route, input as Input<Key>),
    onSuccess: () => client.invalidateQueries(),
  })
}
