import { readVendorError } from '@sluice/dialects/errors/vendor-error'
import { parseOrNone } from '@sluice/dialects/json/parse-or-none'
import type { Upstream, UpstreamCall } from '../../adapters/outbound/upstream.ts'
import type { ProviderProbe } from '../../adapters/providers/driver.ts'
import type { DependencyCheck } from '../../ports/installation.ts'
import type { Config } from '../config.ts'
import { composeOutside } from '../outside.ts'
import type { DiagnosisTools } from '../tools.ts'
import { passed } from './check-results.ts'
import { explainConnection, type NetworkProblem } from './explain-connection.ts'

export type { DependencyCheck }

/** Command that makes the calls; it is their `operation` label. */
export type DiagnosisCommand = 'doctor' | 'provider-test'

export const ANSWER_BYTES_MAX = 1024 * 1024

export function oneAtATime(patienceMs: number) {
  const timeouts = { connectTimeoutMs: patienceMs, firstByteTimeoutMs: patienceMs, idleTimeoutMs: patienceMs }
  return { connections: 1, queueLimit: 1, queueWaitMs: patienceMs, ...timeouts }
}

interface ProbeAnswer {
  status: number
  /** undefined: not JSON. */
  body: unknown
}

/** Sends one call, and reads its answer as JSON. */
export async function askJson(
  upstream: Upstream,
  call: Omit<UpstreamCall, 'holder'>,
  patienceMs: number,
): Promise<ProbeAnswer> {
  const limits = { totalTimeoutMs: patienceMs, maxBytes: ANSWER_BYTES_MAX }
  const { status, body } = await upstream.request({ ...call, holder: call.operation, ...limits })
  return { status, body: parseOrNone(body.toString('utf8')) }
}

export async function checkProbe(
  { name: provider, baseUrl, isFromStore }: Config['providers'][number],
  probe: ProviderProbe,
  { config, tools, command, patienceMs }: Probing,
): Promise<DependencyCheck> {
  const { name, method, path, headers, body } = probe
  const setting = `providers.${provider}.base_url`
  const { openUpstream, speaksTls } = await composeOutside(config, tools)
  const upstream = openUpstream({ ...oneAtATime(patienceMs), name: provider, baseUrl, isFromStore })
  const url = new URL(baseUrl)
  const mayBeTls = () =>
    url.protocol === 'http:' ? speaksTls({ url, timeoutMs: patienceMs, isFromStore }) : false
  try {
    const answer = await askJson(upstream, { operation: command, method, path, headers, body }, patienceMs)
    const fault = faultOf(probe, answer, provider)
    if (fault === undefined) return passed(name, describeSuccess(probe, answer.status))
    // A TLS server may answer plain HTTP with status 400.
    if (answer.status === 400 && (await mayBeTls()))
      return { name, ok: false, ...explainConnection(undefined, { url, setting, speaksTls: true }) }
    return { name, ok: false, ...fault }
  } catch (error) {
    return { name, ok: false, ...explainConnection(error, { url, setting, speaksTls: await mayBeTls() }) }
  } finally {
    await upstream.close()
  }
}

interface Probing {
  config: Config
  tools: DiagnosisTools
  command: DiagnosisCommand
  patienceMs: number
}

function describeSuccess({ model, showsKey }: ProviderProbe, status: number): string {
  if (model !== undefined) return `answers (HTTP ${status})`
  return `answers${showsKey ? ' and takes the key' : '; only a create call shows whether it takes the key'} (HTTP ${status})`
}

/** Returns undefined for the answer of a working provider. */
function faultOf(probe: ProviderProbe, answered: ProbeAnswer, provider: string): NetworkProblem | undefined {
  const { status } = answered
  const setting = `providers.${provider}.base_url`
  if (status >= 300 && status < 400) {
    return {
      cause: 'path',
      detail: `it redirects (HTTP ${status})`,
      fix: `Set ${setting} to the address it redirects to.`,
    }
  }
  const ofModel = probe.model === undefined ? undefined : modelFaultOf(probe.model, answered, provider)
  if (ofModel !== undefined) return ofModel
  if (status === 401 || status === 403) {
    return {
      cause: 'key',
      detail: `it refuses the key (HTTP ${status})`,
      fix: `Check providers.${provider}.${probe.keySetting}, and that the account behind it is active.`,
    }
  }
  const isMissing = (status === 404 || status === 405) && !probe.isOwn404(answered.body)
  // A proxy reports an outage or a rate limit with a page of its own.
  const isOfProxy = status === 429 || status >= 500
  if (isMissing || (answered.body === undefined && !isOfProxy)) {
    return {
      cause: 'path',
      detail: `there is no API of this driver at ${probe.path} (HTTP ${status})`,
      fix: `Check the path in ${setting}: ${probe.path} is added to it.`,
    }
  }
  if (status >= 500) {
    return {
      cause: 'vendor',
      detail: `it fails (HTTP ${status})`,
      fix: 'Ask the vendor, or try again later.',
    }
  }
  return probe.model === undefined || status < 300 ? undefined : refusedCall(answered, provider)
}

/** Finds a missing model. Vendors use several statuses, so the answer must name the model or have the word "model". */
function modelFaultOf(model: string, answer: ProbeAnswer, provider: string): NetworkProblem | undefined {
  const { status, body } = answer
  if (body === undefined || ![400, 403, 404, 422].includes(status)) return undefined
  const { message, code } = readVendorError(body)
  const isOfModel = message.includes(model) || /\bmodels?\b/i.test(message) || /model/i.test(code ?? '')
  const isOfField = /param/i.test(code ?? '') || /(with|by|for) this model|this model does not/i.test(message)
  if (!isOfModel || isOfField) return undefined
  if (
    !/not|no such|unknown|invalid|exist|found|access|unsupported|decommissioned|deprecated/i.test(
      `${code} ${message}`,
    )
  )
    return undefined
  return {
    cause: 'model',
    detail: `it does not serve "${model}" to this key (HTTP ${status}): ${message}`,
    fix: `Check "upstream" of the model in providers.${provider}.models, and that the account may use it.`,
  }
}

/** Explains an answer of a vendor that accepted address, key and model, but refused the request. */
function refusedCall({ status, body }: ProbeAnswer, provider: string): NetworkProblem {
  const { message } = readVendorError(body)
  if (status === 402 || status === 429) {
    return {
      cause: 'account',
      detail: `the account is out of credit or over its rate (HTTP ${status}): ${message}`,
      fix: "Look at the account's balance and limits at the vendor, or try again later.",
    }
  }
  return {
    cause: 'request',
    detail: `it refuses a plain request (HTTP ${status}): ${message}`,
    fix: `Check the dialect of the model in providers.${provider}.models, and what docs/providers.md says of vendors that differ.`,
  }
}
