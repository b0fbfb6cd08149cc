import type { Secrets } from '../../ports/secrets.ts'

/** Header that `GET /healthz` accepts. */
export const CHALLENGE_HEADER = 'x-sluice-challenge'
const CHALLENGE_BYTES = 32
export const CHALLENGE = /^[\w-]{43}$/
const PROOF_BYTES = 32

/** Machine and port of a gateway. They are part of a proof, so no program can pass on another gateway's proof. */
export interface GatewayPlace {
  machine: string
  port: number
}

/** Returns undefined when the text is not a challenge. */
export type ProveGateway = (challenge: string, port: number) => string | undefined

/** Proves to a holder of this deployment's secret that the process on this port has it too. */
export function proveGateway({ secrets, machine }: { secrets: Secrets; machine: string }): ProveGateway {
  return (challenge, port) => {
    if (!CHALLENGE.test(challenge)) return undefined
    const proof = secrets.mark(marked(challenge, { machine, port }), PROOF_BYTES)
    return Buffer.from(proof).toString('base64url')
  }
}

export function makeChallenge(secrets: Secrets): string {
  return Buffer.from(secrets.randomBytes(CHALLENGE_BYTES)).toString('base64url')
}

export function isGatewayProof(
  proof: unknown,
  { challenge, place, secrets }: { challenge: string; place: GatewayPlace; secrets: Secrets },
): boolean {
  if (typeof proof !== 'string') return false
  const bytes = Buffer.from(proof, 'base64url')
  return bytes.length === PROOF_BYTES && secrets.isMark(bytes, marked(challenge, place))
}

/** Only proofs of a gateway have this prefix, so marks of different kinds never match. */
function marked(challenge: string, { machine, port }: GatewayPlace): Uint8Array {
  return Buffer.from(`gateway ${challenge} ${port} ${machine}`)
}
