/** Which layers each layer may import besides itself. */
export const ARROWS = {
  domain: [],
  llm: ['domain'],
  ports: ['domain'],
  app: ['domain', 'llm', 'ports'],
  adapters: ['config', 'domain', 'llm', 'ports'],
  http: ['app', 'domain', 'llm', 'ports'],
  workers: ['app', 'domain', 'ports'],
  sandbox: [],
  config: ['domain'],
  compose: ['adapters', 'app', 'config', 'domain', 'http', 'llm', 'ports', 'sandbox', 'workers'],
  process: ['app', 'compose', 'config', 'domain', 'http', 'llm', 'ports', 'sandbox', 'workers'],
  cli: ['app', 'compose', 'config', 'domain', 'process'],
  main: ['cli', 'config', 'domain'],
} as const satisfies Record<string, readonly string[]>

export type Layer = keyof typeof ARROWS

/** `src/http/server.ts` is of `http`, `src/compose.ts` of `compose`; undefined for what lies outside the house. */
export function layerOf(path: string): Layer | undefined {
  const name = /^src\/([^/.]+)(\/|\.ts$)/.exec(path)?.[1]
  return name !== undefined && isLayer(name) ? name : undefined
}

/** `src/adapters/redis/redis-cache.ts` -> `adapters/redis`: two folders deep, which is how packages are given out. */
export function areaOf(path: string): string {
  return path.split('/').slice(1, 3).join('/')
}

function isLayer(name: string): name is Layer {
  return Object.hasOwn(ARROWS, name)
}
