/** Layers that each layer may import besides itself. */
export const ARROWS = {
  dialects: [],
  provenance: [],
  domain: ['dialects'],
  ports: ['dialects', 'domain'],
  app: ['dialects', 'domain', 'ports'],
  adapters: ['config', 'dialects', 'domain', 'ports', 'provenance'],
  http: ['app', 'dialects', 'domain', 'ports'],
  workers: ['app', 'domain', 'ports'],
  sandbox: ['provenance'],
  config: ['dialects', 'domain'],
  compose: [
    ...[
      'adapters',
      'app',
      'config',
      'dialects',
      'domain',
      'http',
      'ports',
      'provenance',
      'sandbox',
      'workers',
    ],
  ],
  process: ['app', 'compose', 'config', 'domain', 'http', 'ports', 'sandbox', 'workers'],
  cli: ['app', 'compose', 'config', 'domain', 'process'],
  main: ['cli', 'config', 'domain'],
} as const satisfies Record<string, readonly string[]>

/**
 * Sub-folders and files of a folder, lowest first: each imports only itself and entries before it. A file beside the
 * sub-folders that is not listed may import all of them, and none of them may import it.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'packages/dialects/src': [
    ...[
      'request-error.ts',
      'json',
      'dialect-facts.ts',
      'values',
      'canonical',
      'errors',
      'count',
      'tools',
      'sse',
      'stops',
      'passthrough',
      'contract',
    ],
    ...['chat', 'messages', 'responses', 'dialects.ts', 'relay', 'embeddings-request.ts', 'body'],
  ],
  'src/app/text': ['contract', 'cache', 'route', 'vendor-state', 'relay', 'plan', 'call', 'replay', 'kept'],
}

export type Layer = keyof typeof ARROWS

/**
 * `src/http/routes.ts` belongs to `http`, `src/compose.ts` to `compose`, `sandbox/server.ts` to `sandbox`, and each
 * package is a layer. undefined: the path has no layer.
 */
export function layerOf(path: string): Layer | undefined {
  const [, inSrc, beside] =
    /^(?:src\/([^/.]+)|(?:packages\/)?(sandbox|dialects|provenance))(?:\/|\.ts$)/.exec(path) ?? []
  const name = inSrc ?? beside
  return name !== undefined && isLayer(name) ? name : undefined
}

/** `src/adapters/redis/redis-cache.ts` -> `adapters/redis`: two folders deep, which is how packages are given out. */
export function areaOf(path: string): string {
  return path
    .replace(/^src\//, '')
    .split('/')
    .slice(0, 2)
    .join('/')
}

function isLayer(name: string): name is Layer {
  return Object.hasOwn(ARROWS, name)
}
