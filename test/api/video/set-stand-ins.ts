import { setTerms } from './set-terms.ts'
import type { VideoApi } from './start-video-api.ts'

/** Gives models of the built-in catalog their stand-ins. */
export function setStandIns(
  api: Pick<VideoApi, 'store' | 'forgetPrices'>,
  standIns: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const terms = Object.entries(standIns).map(([name, list]) => [name, { standIns: list }] as const)
  return setTerms(api, Object.fromEntries(terms))
}
