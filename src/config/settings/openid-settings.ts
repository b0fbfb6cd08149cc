import { inGroup } from './in-group.ts'
import { secretText, text, textList } from './kinds/text.ts'

export const OPENID_SETTINGS = inGroup('openid', {
  OIDC_ISSUER: {
    kind: text({ takes: 'an https:// address, exactly as the provider writes its issuer' }),
    meaning:
      'OpenID Connect provider for sign-ins to the console. Needs `ADMIN_API_KEY`, `OIDC_CLIENT_ID` and one `OIDC_ROLE_...`. The return address is `PUBLIC_BASE_URL` + `/console/oidc/callback`.',
  },
  OIDC_CLIENT_ID: { kind: text({ takes: 'a text' }), meaning: 'Name of Sluice at the OpenID provider.' },
  OIDC_CLIENT_SECRET: {
    kind: secretText({ min: 1, inHeader: false }),
    meaning: 'Secret of Sluice at the OpenID provider. Unset: PKCE alone, as a public client.',
  },
  OIDC_SCOPE: {
    kind: text({ takes: 'words separated by spaces' }),
    default: 'openid profile email',
    meaning:
      'Scopes of the sign-in. Some providers send groups only if an extra scope, such as `groups`, is requested.',
  },
  OIDC_ROLE_CLAIM: {
    kind: text({ takes: 'the name of a claim, such as groups or realm_access.roles' }),
    default: 'groups',
    meaning: 'Claim with the roles: a text or a list of texts.',
  },
  OIDC_ROLE_OWNER: {
    kind: textList,
    meaning: 'Values of the claim that make an owner. The highest role counts; without one it is 403.',
  },
  OIDC_ROLE_OPERATOR: { kind: textList, meaning: 'Values of the claim that make an operator.' },
  OIDC_ROLE_VIEWER: { kind: textList, meaning: 'Values of the claim that make a viewer.' },
})
