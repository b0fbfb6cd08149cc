import * as client from 'openid-client'
import type { OpenIdPerson, OpenIdProvider } from '../../ports/openid.ts'

export interface OpenIdSettings {
  issuer: string
  clientId: string
  /** undefined: the client uses PKCE alone. */
  clientSecret: string | undefined
  scope: string
  roleClaim: string
}

const TIMEOUT_SECONDS = 10
const NAME_LENGTH_MAX = 160

/** Discovers the provider with the first sign-in, so that the gateway starts without it. */
export function openIdProvider(input: OpenIdSettings): OpenIdProvider {
  const { issuer, clientId, clientSecret, scope, roleClaim } = input
  let discovered: Promise<client.Configuration> | undefined

  function discover(): Promise<client.Configuration> {
    const authentication = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret)
    const execute = isLoopback(issuer) ? [client.allowInsecureRequests] : []
    const options = { execute, timeout: TIMEOUT_SECONDS }
    discovered ??= client.discovery(new URL(issuer), clientId, undefined, authentication, options)
    discovered.catch(() => {
      discovered = undefined
    })
    return discovered
  }

  return {
    async begin(returnUrl) {
      const provider = await discover()
      const codeVerifier = client.randomPKCECodeVerifier()
      const attempt = { state: client.randomState(), nonce: client.randomNonce(), codeVerifier }
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri: returnUrl,
        scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, attempt }
    },
    async finish(cameBackTo, { state, nonce, codeVerifier }) {
      const provider = await discover()
      try {
        const tokens = await client.authorizationCodeGrant(provider, new URL(cameBackTo), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) return undefined
        const known: Record<string, unknown> = { ...claims }
        // Many providers leave groups out of the token to keep it small; the user-info endpoint has them.
        const hasMore =
          claimIn(known, roleClaim) === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
        if (hasMore)
          Object.assign(known, await client.fetchUserInfo(provider, tokens.access_token, claims.sub))
        return personOf(known, claims.sub, roleClaim)
      } catch (error) {
        if (isRefusal(error)) return undefined
        throw error
      }
    },
  }
}

/** Tells whether provider or library refused the response, unlike a timeout or network error. */
function isRefusal(error: unknown): boolean {
  const isProtocol =
    error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError
  return isProtocol || (error instanceof client.ClientError && error.code !== 'OAUTH_TIMEOUT')
}

function isLoopback(issuer: string): boolean {
  const { hostname } = new URL(issuer)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

function personOf(claims: Record<string, unknown>, subject: string, roleClaim: string): OpenIdPerson {
  const { email, email_verified: isVerified } = claims
  const name = typeof email === 'string' && isVerified !== false ? email : subject
  const given = claimIn(claims, roleClaim)
  const values = (Array.isArray(given) ? given : [given]).filter((value) => typeof value === 'string')
  return { name: name.replaceAll(/\p{Cc}/gu, ' ').slice(0, NAME_LENGTH_MAX), values }
}

/** Reads a claim by name, or else by a path such as `realm_access.roles`. */
function claimIn(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = Reflect.get(found, part)
  }
  return found
}
