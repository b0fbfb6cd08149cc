import { driverOf } from '../../adapters/providers/drivers.ts'
import type { DependencyCheck } from '../../ports/installation.ts'
import { composeAssetVendor, withAssets } from '../asset-vendor.ts'
import type { Config } from '../config.ts'
import { composeOutside } from '../outside.ts'
import type { DiagnosisTools } from '../tools.ts'
import { ANSWER_BYTES_MAX, checkProbe, oneAtATime } from './check-probe.ts'
import { failed, passed, warned } from './check-results.ts'
import { explainConnection } from './explain-connection.ts'

const PATIENCE_MS = 5_000
/** Id that no asset has, so that the answer tells only about address and signature. */
const UNKNOWN_ASSET = 'asset-doctor'

/** Sends every provider a free request, which shows whether its address, API and key are right. */
export async function checkProviders(config: Config, tools: DiagnosisTools): Promise<DependencyCheck[]> {
  const probes = config.providers.flatMap((provider) =>
    driverOf(provider)
      .probes(provider)
      .map((probe) => ({ provider, probe })),
  )
  const [probed, assets] = await Promise.all([
    Promise.all(
      probes.map(({ provider, probe }) =>
        checkProbe(provider, probe, { config, tools, command: 'doctor', patienceMs: PATIENCE_MS }),
      ),
    ),
    checkAssets(config, tools),
  ])
  return [...probed, ...assets, ...unusedAssets(config.providers)]
}

function unusedAssets(providers: Config['providers']): DependencyCheck[] {
  const [keeper, ...others] = withAssets(providers)
  return others.map(({ name }) => {
    const fix = `Take assets out of providers.${name}.`
    return warned(`assets of ${name}`, `not used: ${keeper?.name} stores all assets`, fix)
  })
}

async function checkAssets(config: Config, tools: DiagnosisTools): Promise<DependencyCheck[]> {
  const keeper = composeAssetVendor({ config, tools })
  await keeper.replace(config.providers)
  const { vendor, origins } = keeper
  if (vendor === undefined) return []
  const name = `assets of ${vendor.provider}`
  const setting = `providers.${vendor.provider}.assets`
  try {
    const reading = await vendor.driver.getAsset(UNKNOWN_ASSET, 'doctor')
    if (reading.kind !== 'unanswered') return [passed(name, 'answers and takes the signature')]
    const where = { url: new URL(origins[0]?.baseUrl ?? ''), setting, speaksTls: false }
    const { cause, detail } = explainConnection(reading.cause, where)
    const fix = `Check endpoint, access_key, secret_key, region and service in ${setting}.`
    return [{ ...failed(name, detail, fix), cause }]
  } finally {
    await keeper.close()
  }
}

/** Checks that the address for notices is HTTPS and public or allowed, and that its `/healthz` answers with 200. */
export async function checkNoticeAddress(config: Config, tools: DiagnosisTools): Promise<DependencyCheck[]> {
  const { noticeBaseUrl } = config.video
  if (noticeBaseUrl === undefined) return []
  const { openGuarded } = await composeOutside(config, tools)
  const client = openGuarded(oneAtATime(PATIENCE_MS))
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
    if (status === 200) return [passed('notices', 'VIDEO_WEBHOOK_BASE_URL leads to a running gateway')]
    return [failed('notices', `VIDEO_WEBHOOK_BASE_URL answers HTTP ${status} at /healthz`, MAKE_PUBLIC)]
  } catch (error) {
    const where = { url: new URL(noticeBaseUrl), setting: 'VIDEO_WEBHOOK_BASE_URL', speaksTls: false }
    return [failed('notices', explainConnection(error, where).detail, MAKE_PUBLIC)]
  }
}

const MAKE_PUBLIC =
  'Start the gateway and see that VIDEO_WEBHOOK_BASE_URL is its public HTTPS address, as vendors reach it.'
