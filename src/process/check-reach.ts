import { composeOutside } from '../compose/outside.ts'
import type { Tools } from '../compose/tools.ts'
import type { Config } from '../config/config.ts'
import type { DependencyCheck } from './dependency-check.ts'

const PATIENCE_MS = 5_000
const ANSWER_BYTES_MAX = 1024 * 1024
const ONE_AT_A_TIME = {
  connections: 1,
  queueLimit: 1,
  queueWaitMs: PATIENCE_MS,
  connectTimeoutMs: PATIENCE_MS,
}

/** Every provider must answer something, whatever its status: a key is never sent here. */
export async function checkProviders(config: Config, tools: Tools): Promise<DependencyCheck[]> {
  if (config.providers.length === 0) return []
  const { openUpstream } = await composeOutside(config, tools)
  return Promise.all(
    config.providers.map(async ({ name, baseUrl }) => {
      const upstream = openUpstream({
        ...ONE_AT_A_TIME,
        name,
        baseUrl,
        firstByteTimeoutMs: PATIENCE_MS,
        idleTimeoutMs: PATIENCE_MS,
      })
      const limits = { totalTimeoutMs: PATIENCE_MS, maxBytes: ANSWER_BYTES_MAX }
      try {
        const { status } = await upstream.request({
          operation: 'doctor',
          holder: 'doctor',
          method: 'GET',
          path: '/',
          headers: {},
          ...limits,
        })
        return { name: `provider ${name}`, ok: true, detail: `answers (HTTP ${status})` }
      } catch (error) {
        const fix = `See that providers.${name}.base_url is right and that this machine may reach it.`
        return { name: `provider ${name}`, ok: false, detail: messageOf(error), fix }
      } finally {
        await upstream.close()
      }
    }),
  )
}

/** Where vendors are told to send notices must be somewhere they can reach: public, HTTPS, and us. */
export async function checkNoticeAddress(config: Config, tools: Tools): Promise<DependencyCheck[]> {
  const { noticeBaseUrl } = config.video
  if (noticeBaseUrl === undefined) return []
  const name = 'notices'
  const { openGuarded } = await composeOutside(config, tools)
  const client = openGuarded(ONE_AT_A_TIME)
  try {
    const { status } = await client.send({
      operation: 'doctor',
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
    return [failed(name, messageOf(error))]
  }
}

function failed(name: string, detail: string): DependencyCheck {
  const fix =
    'Start the gateway and see that VIDEO_WEBHOOK_BASE_URL is its public HTTPS address, as vendors reach it.'
  return { name, ok: false, detail, fix }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
