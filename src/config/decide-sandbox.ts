import type { AnyConfig } from './config.ts'
import type { ConfigProblem } from './config-error.ts'

/** `refused`: the gateway must not start; the fault says why and what to do. */
export type SandboxDecision =
  | { kind: 'not-needed' }
  | { kind: 'run' }
  | { kind: 'refused'; fault: ConfigProblem }

/**
 * Sandbox vendors answer with made-up replies, and customers are charged for them. So the sandbox starts by
 * itself only where a person tries the program out: on the embedded store, without a providers file.
 */
export function decideSandbox(
  input: Pick<AnyConfig, 'providers' | 'hasProvidersFile' | 'engines' | 'sandbox'>,
): SandboxDecision {
  const { providers, hasProvidersFile, engines, sandbox } = input
  if (providers.length > 0) return { kind: 'not-needed' }
  if (sandbox.choice === 'on') return { kind: 'run' }
  if (sandbox.choice === 'off') return refused('no provider is configured, and SANDBOX is off')
  if (engines.databaseUrl !== undefined) return refused('no provider is configured, and DATABASE_URL is set')
  if (hasProvidersFile) return refused('the providers file names no provider')
  return { kind: 'run' }
}

function refused(wrong: string): SandboxDecision {
  const fix =
    'Configure a provider in sluice.yaml (sluice.example.yaml shows how), or set SANDBOX=on to try the gateway with sandbox vendors, which answer with made-up replies and whose work is charged.'
  return { kind: 'refused', fault: { setting: 'providers', wrong, fix } }
}
