import type { Operation } from '../../operation.ts'

export interface GroupText {
  title: string
  /** One sentence for lists of the groups. */
  summary: string
  /** Further text for the page of the group. */
  about?: string
}

/** Groups of the reference in reading order. A key is the last part of the page's address. */
export const GROUPS = {
  text: {
    title: 'Text',
    summary:
      'Ask text models in the Messages, Responses or Chat Completions format; count tokens; embeddings.',
  },
  video: {
    title: 'Video',
    summary: 'Tasks that make videos: ask for a price, create a task, watch it, cancel it.',
    about:
      'The models form two families with rules of their own: family A are the models of vendorA (`vendorA/gen-2.0`, `vendorA/gen-2.0-fast`), family B those of vendorB (`vendorB/gen-v4-std`, `vendorB/gen-v4-fast`, `vendorB/gen-v3`). Where this page says "family", the first part of your model id decides.',
  },
  assets: {
    title: 'Assets and people',
    summary: 'Media files and verified people that videos can refer to.',
  },
  account: {
    title: 'Models, usage and balance',
    summary: 'The models that a key may use, what was used and what it cost, receipts, and the balance.',
  },
  'admin-customers': {
    title: 'Customers and keys',
    summary: 'For operators: organizations, their users, API keys and budgets.',
  },
  'admin-money': {
    title: 'Money',
    summary:
      'For operators: credit, the ledger, refunds, prices and aliases of models, usage of every customer.',
  },
  'admin-media': {
    title: 'Tasks and media of customers',
    summary: 'For operators: video tasks, callbacks, assets and verified people of every customer.',
  },
  'admin-gateway': {
    title: 'The gateway',
    summary:
      'For operators: providers, settings, checks, operators and their sessions, the audit log, caches.',
  },
  service: {
    title: 'Service',
    summary: 'Health, metrics and this reference, which need no key; MCP for agents.',
  },
} as const satisfies Record<string, GroupText>

export type Group = keyof typeof GROUPS

/** Rows with the beginning of a path; the first that fits decides. */
const PLACES: readonly (readonly [RegExp, Group])[] = [
  [/^\/admin\/v1\/(organizations|users|keys|demo)\b/, 'admin-customers'],
  [/^\/admin\/v1\/(credit|ledger|models|aliases|usage|overview)\b/, 'admin-money'],
  [/^\/admin\/v1\/(tasks|callbacks|assets|groups|verifications)\b/, 'admin-media'],
  [/^\/admin\//, 'admin-gateway'],
  [/^\/v1\/video\/assets\b/, 'assets'],
  [/^\/(v1\/(videos?|media|provenance)|api\/v3\/contents)\b/, 'video'],
  [/^\/(v1\/(models|usage|balance)\b|\.well-known\/)/, 'account'],
  [/^\/v1\//, 'text'],
]

export function groupOf({ path }: Operation): Group {
  return PLACES.find(([beginning]) => beginning.test(path))?.[1] ?? 'service'
}

/** Version of the API in its paths, which is independent of the version of the program. */
export const API_VERSION = 'v1'
