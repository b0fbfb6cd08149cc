import type { GuardedClient, GuardedClientOptions } from '../adapters/outbound/guarded-client.ts'
import type { Upstream, UpstreamOptions } from '../adapters/outbound/upstream.ts'
import type { Config } from '../config/config.ts'
import type { Tools } from './tools.ts'

/** The ways out. Loaded when one is wanted, so that a start does not pay for them. */
export async function composeOutside(
  config: Config,
  { clock, log, metrics }: Pick<Tools, 'clock' | 'log' | 'metrics'>,
): Promise<{
  openUpstream(options: Omit<UpstreamOptions, 'clock' | 'log' | 'metrics'>): Upstream
  openGuarded(options: Omit<GuardedClientOptions, 'allow' | 'metrics'>): GuardedClient
}> {
  const [{ createUpstream }, { createGuardedClient }] = await Promise.all([
    import('../adapters/outbound/upstream.ts'),
    import('../adapters/outbound/guarded-client.ts'),
  ])
  const allow = config.outbound.allowedRanges
  return {
    openUpstream: (options) => createUpstream({ ...options, clock, log, metrics }),
    openGuarded: (options) => createGuardedClient({ ...options, allow, metrics }),
  }
}
