import { readFileSync } from 'node:fs'
import { closestName } from '../domain/closest-name.ts'
import { type AnyConfig, arrangeConfig } from './config.ts'
import { ConfigError, type ConfigProblem } from './config-error.ts'
import type { AnyProvider } from './providers/provider.ts'
import { type DriverReaders, readProvidersFile } from './providers/providers-file.ts'
import { type C2paSigner, readC2paSigner } from './read-c2pa-signer.ts'
import { readFields, type Values } from './read-fields.ts'
import { settingsInForce } from './settings/in-force.ts'
import { SETTINGS } from './settings/settings.ts'
import { variablesIn } from './yaml/placeholders.ts'

export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>
  /** Throws like `node:fs` when the file does not exist. */
  readFile(path: string): string
}

/** Reads the environment and the providers file once, and throws one `ConfigError` that lists every fault. */
export function readConfig<Provider extends AnyProvider>(
  { environment, readFile }: Surroundings,
  drivers: DriverReaders<Provider>,
): AnyConfig<Provider> {
  const faults: ConfigProblem[] = []
  const report = (fault: ConfigProblem) => void faults.push(fault)
  const values = readFields(SETTINGS, {
    // Compose files and shells often set a variable to nothing when they mean "not set".
    find: (name) => (environment[name] ? { text: environment[name] } : 'absent'),
    written: (name) => environment[name] ?? '',
    label: (name) => name,
    report,
  })
  checkSecretIsShared(environment, report)
  checkSecretsDiffer(environment, report)
  if (values !== undefined) {
    checkTimeouts(values, report)
    checkMetricsHaveACollector(values, report)
  }
  checkOpenId(environment, report)
  checkEvents(environment, report)
  checkMedia(environment, report)
  const signer = values && readSigner(values, readFile, report)
  const fileName = environment.SLUICE_CONFIG || SETTINGS.SLUICE_CONFIG.default
  const found = readSource(fileName, { environment, readFile }, report)
  const source = found ?? ''
  const providers = readProvidersFile({ fileName, source, environment, drivers, report })
  refuseUnknownVariables(environment, variablesIn(source), report)
  if (faults.length > 0 || values === undefined) throw new ConfigError(faults)
  const settings = settingsInForce(environment)
  return arrangeConfig(values, { providers, hasProvidersFile: found !== undefined, settings, signer })
}

type Report = (fault: ConfigProblem) => void

/** If each replica made a secret of its own, an API key would work at one replica only. */
function checkSecretIsShared(environment: Surroundings['environment'], report: Report): void {
  if (!environment.DATABASE_URL || environment.SLUICE_SECRET) return
  report({
    setting: 'SLUICE_SECRET',
    wrong: 'it is missing, and DATABASE_URL is set',
    fix: 'Use at least 32 random characters, the same on every replica; "openssl rand -hex 32" makes some.',
  })
}

function checkSecretsDiffer(environment: Surroundings['environment'], report: Report): void {
  const { SLUICE_SECRET: secret, SLUICE_SECRET_PREVIOUS: previous } = environment
  if (!previous || secret !== previous) return
  report({
    setting: 'SLUICE_SECRET_PREVIOUS',
    wrong: 'it is the same as SLUICE_SECRET',
    fix: 'Set SLUICE_SECRET to the new secret and SLUICE_SECRET_PREVIOUS to the previous one, or remove SLUICE_SECRET_PREVIOUS.',
  })
}

function checkTimeouts(values: Values<typeof SETTINGS>, report: Report): void {
  if (values.HEADERS_TIMEOUT_MS <= values.REQUEST_TIMEOUT_MS) return
  report({
    setting: 'HEADERS_TIMEOUT_MS',
    wrong: `${values.HEADERS_TIMEOUT_MS} is above REQUEST_TIMEOUT_MS, which is ${values.REQUEST_TIMEOUT_MS}`,
    fix: 'Headers are a part of the request: lower one or raise the other.',
  })
}

/** An address without TLS would show the sign-in of an owner to the network. */
function checkOpenId(environment: Surroundings['environment'], report: Report): void {
  const { OIDC_ISSUER: issuer } = environment
  if (!issuer) return
  const url = URL.parse(issuer)
  const isLoopback = url !== null && /^(localhost|\[::1\]|127\.[\d.]+)$/.test(url.hostname)
  if (url?.protocol !== 'https:' && !(isLoopback && url?.protocol === 'http:'))
    report({
      setting: 'OIDC_ISSUER',
      wrong: 'it is not an https:// address',
      fix: 'Use the issuer as the provider writes it; http:// works on this machine only.',
    })
  for (const needed of ['ADMIN_API_KEY', 'OIDC_CLIENT_ID'] as const) {
    if (!environment[needed])
      report({ setting: needed, wrong: 'it is missing, and OIDC_ISSUER is set', fix: `Set ${needed} too.` })
  }
  if (!['OWNER', 'OPERATOR', 'VIEWER'].some((role) => environment[`OIDC_ROLE_${role}`]))
    report({
      setting: 'OIDC_ROLE_OWNER',
      wrong: 'no OIDC_ROLE_... is set, and OIDC_ISSUER is',
      fix: 'Name at least one value of the claim that gives a role, or no person can sign in.',
    })
}

function checkEvents({ EVENTS_URL, EVENTS_SECRET }: Surroundings['environment'], report: Report): void {
  if (!EVENTS_URL || EVENTS_SECRET) return
  report({
    setting: 'EVENTS_SECRET',
    wrong: 'it is missing, and EVENTS_URL is set',
    fix: 'Use whsec_ and the output of "openssl rand -base64 32"; the receiver checks signatures with it.',
  })
}

function readSigner(
  values: Values<typeof SETTINGS>,
  readFile: Surroundings['readFile'],
  report: Report,
): C2paSigner | undefined {
  const { MEDIA_STORE, MARK_CLIPS, C2PA_CERT_FILE: certificate, C2PA_KEY_FILE: key } = values
  if (MARK_CLIPS !== undefined && MEDIA_STORE === 'off')
    report({
      setting: 'MARK_CLIPS',
      wrong: 'it is set, and MEDIA_STORE is off',
      fix: 'Only copies are marked: set MEDIA_STORE too.',
    })
  return MARK_CLIPS?.includes('c2pa') ? readC2paSigner({ certificate, key, readFile, report }) : undefined
}

function checkMedia(environment: Surroundings['environment'], report: Report): void {
  if (environment.MEDIA_STORE !== 's3') return
  for (const setting of ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
    if (!environment[setting])
      report({ setting, wrong: 'it is missing, and MEDIA_STORE is s3', fix: `Set ${setting} too.` })
}

function checkMetricsHaveACollector(values: Values<typeof SETTINGS>, report: Report): void {
  if (values.OTEL_METRICS_EXPORTER === 'none' || values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) return
  report({
    setting: 'OTEL_METRICS_EXPORTER',
    wrong: 'it is otlp, and OTEL_EXPORTER_OTLP_ENDPOINT is missing',
    fix: 'Name the collector in OTEL_EXPORTER_OTLP_ENDPOINT, or leave OTEL_METRICS_EXPORTER out.',
  })
}

/** Returns undefined when the default file does not exist. A file that `SLUICE_CONFIG` names must exist. */
function readSource(fileName: string, surroundings: Surroundings, report: Report): string | undefined {
  const { environment, readFile } = surroundings
  try {
    return readFile(fileName)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' && !environment.SLUICE_CONFIG) return undefined
    report({
      setting: 'SLUICE_CONFIG',
      wrong:
        code === 'ENOENT'
          ? `there is no file "${fileName}"`
          : `"${fileName}" cannot be read (${String(code)})`,
      fix: 'Name a YAML file that this user may read, or leave SLUICE_CONFIG out.',
    })
    return ''
  }
}

/** Variables that our documentation tells clients to export. The gateway does not read them. */
const VARIABLES_OF_CLIENTS: ReadonlySet<string> = new Set([
  'SLUICE_URL',
  'SLUICE_API_KEY',
  'SLUICE_ADMIN_KEY',
])

function refuseUnknownVariables(
  environment: Surroundings['environment'],
  namedInFile: ReadonlySet<string>,
  report: Report,
): void {
  const known = Object.keys(SETTINGS)
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('SLUICE_') || known.includes(name) || namedInFile.has(name)) continue
    if (!value || VARIABLES_OF_CLIENTS.has(name) || isServiceLink(name, value)) continue
    const meant = closestSetting(name)
    report({
      setting: name,
      wrong: 'there is no such setting',
      fix: meant === undefined ? 'Remove it, or correct its name.' : `Did you mean ${meant}?`,
    })
  }
}

/** The comparison ignores the prefix `SLUICE_`, which makes all names look alike. */
function closestSetting(name: string): string | undefined {
  const bare = (full: string): string => full.replace(/^SLUICE_/, '')
  const known = Object.keys(SETTINGS)
  const meant = closestName(bare(name), known.map(bare))
  return known.find((candidate) => bare(candidate) === meant)
}

/** Kubernetes sets variables for every service in every pod, and a service may be called "sluice". */
function isServiceLink(name: string, value: string): boolean {
  return (
    /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
    /^(tcp|udp|sctp):\/\//.test(value)
  )
}

export function loadConfig<Provider extends AnyProvider>(
  drivers: DriverReaders<Provider>,
): AnyConfig<Provider> {
  return readConfig({ environment: process.env, readFile: (path) => readFileSync(path, 'utf8') }, drivers)
}
