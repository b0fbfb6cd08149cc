import { setTimeout as sleep } from 'node:timers/promises'
import { composeAssetVendor } from '../compose/asset-vendor.ts'
import type { Config } from '../compose/config.ts'
import { composeOutside } from '../compose/outside.ts'
import { type ProviderProbe, probesOf } from '../compose/served-models.ts'
import type { DiagnosisTools } from '../compose/tools.ts'
import { explainConnection, type NetworkProblem } from './explain-connection.ts'

const PATIENCE_MS = 5_000
const ANSWER_BYTES_MAX = 1024 * 1024
const ONE_AT_A_TIME = {
  connections: 1,
  queueLimit: 1,
  queueWaitMs: PATIENCE_MS,
  connectTimeoutMs: PATIENCE_MS,
}
/** No asset has it: the answer is about address and signature alone. */
const UNKNOWN_ASSET = 'asset-doctor'

/** Asks every provider something that costs nothing: can it be reached, is it the API, does it take the key? */
export async function checkProviders(config: Config, tools: DiagnosisTools): Promise<DependencyCheck[]> {
  const probes = config.providers.flatMap((provider) =>
    probesOf(provider).map((probe) => ({ provider, probe })),
  )
  const [probed, assets] = await Promise.all([
    Promise.all(probes.map(({ provider, probe }) => checkProbe(provider, probe, { config, tools }))),
    checkAssets(config, tools),
  ])
  return [...probed, ...assets]
}

async function checkProbe(
  { name: provider, baseUrl }: Config['providers'][number],
  probe: ProviderProbe,
  { config, tools }: { config: Config; tools: DiagnosisTools },
): Promise<DependencyCheck> {
  const { name, method, path, headers, body } = probe
  const setting = `providers.${provider}.base_url`
  const keySetting = `providers.${provider}.${probe.keySetting}`
  const { openUpstream, speaksTls } = await composeOutside(config, tools)
  const upstream = openUpstream({
    ...ONE_AT_A_TIME,
    name: provider,
    baseUrl,
    firstByteTimeoutMs: PATIENCE_MS,
    idleTimeoutMs: PATIENCE_MS,
  })
  const url = new URL(baseUrl)
  const mayBeTls = () => (url.protocol === 'http:' ? speaksTls({ url, timeoutMs: PATIENCE_MS }) : false)
  try {
    const limits = { totalTimeoutMs: PATIENCE_MS, maxBytes: ANSWER_BYTES_MAX }
    const call = {
      operation: 'doctor',
      holder: 'doctor',
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    }
    const answer = await upstream.request({ ...call, ...limits })
    const said = { status: answer.status, body: answer.body.toString('utf8') }
    const fault = faultOf(probe, said, { setting, keySetting })
    if (fault === undefined)
      return {
        name,
        ok: true,
        detail: `answers${probe.showsKey ? ' and takes the key' : '; its key shows only at a create call'} (HTTP ${answer.status})`,
      }
    // A TLS server may answer plain HTTP with a 400 of its own.
    if (answer.status === 400 && (await mayBeTls()))
      return { name, ok: false, ...explainConnection(undefined, { url, setting, speaksTls: true }) }
    return { name, ok: false, ...fault }
  } catch (error) {
    return { name, ok: false, ...explainConnection(error, { url, setting, speaksTls: await mayBeTls() }) }
  } finally {
    await upstream.close()
  }
}

async function checkAssets(config: Config, tools: DiagnosisTools): Promise<DependencyCheck[]> {
  const { vendor, endpoint, close } = await composeAssetVendor({ config, providers: config.providers, tools })
  if (vendor === undefined) return []
  const name = `assets of ${vendor.provider}`
  const setting = `providers.${vendor.provider}.assets`
  try {
    const reading = await vendor.driver.getAsset(UNKNOWN_ASSET, 'doctor')
    if (reading.kind !== 'unanswered') return [{ name, ok: true, detail: 'answers and takes the signature' }]
    const fault = explainConnection(reading.cause, { url: new URL(endpoint), setting, speaksTls: false })
    return [
      {
        name,
        ok: false,
        ...fault,
        fix: `Check endpoint, access_key, secret_key, region and service in ${setting}.`,
      },
    ]
  } finally {
    await close()
  }
}

/** Where vendors are told to send notices must be somewhere they can reach: public, HTTPS, and us. */
export async function checkNoticeAddress(config: Config, tools: DiagnosisTools): Promise<DependencyCheck[]> {
  const { noticeBaseUrl } = config.video
  if (noticeBaseUrl === undefined) return []
  const name = 'notices'
  const { openGuarded } = await composeOutside(config, tools)
  const client = openGuarded(ONE_AT_A_TIME)
  try {
    const { status } = await client.send({
      operation: 'doctor',
      holder: 'doctor',
      url: `${noticeBaseUrl}/healthz`,
      method: 'GET',
      headers: {},
      totalTimeoutMs: PATIENCE_MS,
      maxBytes: ANSWER_BYTES_MAX,
    })
    if (status === 200)
      return [{ name, ok: true, detail: 'VIDEO_WEBHOOK_BASE_URL leads to a running gateway' }]
    return [failed(name, `VIDEO_WEBHOOK_BASE_URL answers HTTP ${status} at /healthz`)]
  } catch (error) {
    const where = { url: new URL(noticeBaseUrl), setting: 'VIDEO_WEBHOOK_BASE_URL', speaksTls: false }
    return [failed(name, explainConnection(error, where).detail)]
  }
}

function failed(name: string, detail: string): DependencyCheck {
  const fix =
    'Start the gateway and see that VIDEO_WEBHOOK_BASE_URL is its public HTTPS address, as vendors reach it.'
  return { name, ok: false, detail, fix }
}

/** undefined: the answer is what a working provider gives. */
function faultOf(
  probe: ProviderProbe,
  { status, body }: { status: number; body: string },
  { setting, keySetting }: { setting: string; keySetting: string },
): NetworkProblem | undefined {
  const parsed = parsedOrNone(body)
  if (status === 401 || status === 403) {
    return {
      detail: `it refuses the key (HTTP ${status})`,
      fix: `Check ${keySetting}, and that the account behind it is active.`,
    }
  }
  if (status >= 300 && status < 400)
    return { detail: `it redirects (HTTP ${status})`, fix: `Set ${setting} to the address it redirects to.` }
  const isMissing = (status === 404 || status === 405) && !probe.isOwn404(parsed)
  if (isMissing || parsed === undefined) {
    return {
      detail: `there is no API of this driver at ${probe.path} (HTTP ${status})`,
      fix: `Check the path in ${setting}: ${probe.path} is added to it.`,
    }
  }
  if (status >= 500)
    return { detail: `it is in trouble (HTTP ${status})`, fix: 'Ask the vendor, or try again later.' }
  return undefined
}

function parsedOrNone(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the work was done in that time; if not, it goes on unattended. Rejects as the work does. */
export async function within(work: PromiseLike<unknown>, patienceMs: number): Promise<boolean> {
  const enough = new AbortController()
  const late = sleep(Math.max(0, patienceMs), false, { signal: enough.signal }).catch(() => false)
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), late])
  } finally {
    enough.abort()
  }
}

/** One line of what `sluice doctor` says. */
export interface DependencyCheck {
  name: string
  ok: boolean
  /** In order, and still something to know. */
  warning?: true
  detail: string
  fix?: string
}
