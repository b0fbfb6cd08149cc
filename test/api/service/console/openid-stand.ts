import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { type AdminApi, startAdminApi } from '../../admin/start-admin-api.ts'

export interface Stand {
  api: AdminApi
  issuer: string
  /** Claims of the person whom the provider signs in from now on. */
  person: { sub: string; [claim: string]: unknown }
  /** Lifetime of the provider's token in seconds. */
  tokenSeconds: number
  /** False: claims are at the userinfo address only. */
  inToken: boolean
  close(): Promise<void>
}

const SECRET = 'a secret of the client, long enough'

/** A gateway and a real OpenID provider, which asks the person for nothing. */
export async function startStand(
  environment: Record<string, string> = {},
  options: Pick<Parameters<typeof startAdminApi>[0] & object, 'sandboxSpeed'> = {},
): Promise<Stand> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = await startAdminApi({
    ...options,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'sluice',
      OIDC_CLIENT_SECRET: SECRET,
      OIDC_ROLE_OWNER: 'admins',
      OIDC_ROLE_OPERATOR: 'support, billing',
      OIDC_ROLE_VIEWER: 'staff',
      ...environment,
    },
  })
  const stand: Stand = {
    ...{ api, issuer, person: { sub: 'ann', groups: ['staff'] }, tokenSeconds: 300, inToken: true },
    async close() {
      await api.close()
      server.closeAllConnections()
      server.close()
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'sluice',
        client_secret: SECRET,
        redirect_uris: [`${api.url}/console/oidc/callback`],
      },
    ],
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups', 'realm_access'] },
    conformIdTokenClaims: false,
    ttl: { IdToken: () => stand.tokenSeconds, Interaction: 60, Grant: 60, Session: 60, AccessToken: 60 },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: async (use: string) =>
        use === 'id_token' && !stand.inToken ? { sub: accountId } : stand.person,
    }),
    loadExistingGrant: async () => {
      const grant = new provider.Grant({ clientId: 'sluice', accountId: stand.person.sub })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const serve = provider.callback()
  server.on('request', (request, response) => {
    if (request.url !== '/interaction') return serve(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: stand.person.sub } })
  })
  return stand
}

/** Follows redirects with the cookies of one person; cookies do not tell ports apart. */
export function openBrowser() {
  const jar = new Map<string, string>()
  return {
    jar,
    async go(url: string): Promise<Response> {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        if (pair.slice(at + 1) === '') jar.delete(pair.slice(0, at))
        else jar.set(pair.slice(0, at), pair.slice(at + 1))
      }
      return answer
    },
    /** Follows redirects up to an address for which `stops` is true, or to an answer without a redirect. */
    async follow(url: string, stops: (next: string) => boolean = () => false): Promise<[Response, string]> {
      let here = url
      for (let step = 0; step < 12; step++) {
        const answer = await this.go(here)
        const location = answer.headers.get('location')
        if (location === null) return [answer, here]
        here = new URL(location, here).href
        if (stops(here)) return [answer, here]
      }
      throw new Error('redirected in a circle')
    },
  }
}
