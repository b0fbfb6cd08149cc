import { type Import, packageOf } from '../read-imports.ts'
import { programFiles, type TidyRule } from '../source-tree.ts'
import { areaOf, layerOf } from './layers.ts'

/** A package is used only in the folders that wrap it, and the inner layers use none at all. */
export const packagesStayAtHome: TidyRule = (tree) =>
  programFiles(tree).flatMap(({ path, imports }) =>
    imports.filter(({ specifier }) => !isAllowed(path, specifier)).map((entry) => report(path, entry)),
  )

/** Rules and use cases are plain language: neither packages nor Node's own modules. */
const PURE_LAYERS: readonly (string | undefined)[] = ['dialects', 'domain', 'ports', 'app']

/** A home is a layer (`http`) or one folder of a layer (`adapters/redis`). */
const HOMES: Record<string, readonly string[]> = {
  '@modelcontextprotocol/sdk': ['http/mcp'],
  '@opentelemetry/api': ['adapters/telemetry', 'adapters/outbound', 'http'],
  '@opentelemetry/core': ['adapters/telemetry'],
  '@opentelemetry/exporter-trace-otlp-http': ['adapters/telemetry'],
  '@opentelemetry/otlp-exporter-base': ['adapters/telemetry'],
  '@opentelemetry/otlp-exporter-base/node-http': ['adapters/telemetry'],
  '@opentelemetry/otlp-transformer': ['adapters/telemetry'],
  '@opentelemetry/sdk-metrics': ['adapters/telemetry'],
  '@opentelemetry/resources': ['adapters/telemetry'],
  '@opentelemetry/sdk-trace': ['adapters/telemetry'],
  '@peculiar/x509': ['provenance'],
  '@redis/client': ['adapters/redis'],
  '@trustnxt/c2pa-ts': ['provenance'],
  commander: ['cli'],
  'find-my-way': ['http/server'],
  kysely: ['adapters/sql', 'adapters/sqlite', 'adapters/postgres'],
  'openid-client': ['adapters/openid'],
  pg: ['adapters/postgres'],
  'prom-client': ['adapters/telemetry'],
  undici: ['adapters/outbound'],
  ws: ['http/sockets'],
  yaml: ['config'],
  'node:sqlite': ['adapters/sqlite'],
  'node:http': ['http', 'sandbox', 'process', 'adapters/outbound'],
  'node:https': [],
  'node:http2': [],
  'node:dns': ['adapters/outbound'],
}

function isAllowed(path: string, specifier: string): boolean {
  if (specifier.startsWith('.') || specifier.startsWith('@sluice/')) return true
  if (PURE_LAYERS.includes(layerOf(path))) return false
  const homes = HOMES[packageOf(specifier)]
  if (homes === undefined) return specifier.startsWith('node:')
  return homes.includes(areaOf(path)) || homes.includes(layerOf(path) ?? '')
}

function report(path: string, { specifier, line }: Import): string {
  return `${path}:${line}: ${specifier} is not used here`
}
