import type { ProviderProbe } from '../compose/probes.ts'
import type { ConnectionFault } from './explain-connection.ts'

/** undefined: the answer is what a working provider gives. */
export function faultOf(
  probe: ProviderProbe,
  { status, body }: { status: number; body: string },
  { setting, keySetting }: { setting: string; keySetting: string },
): ConnectionFault | undefined {
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
