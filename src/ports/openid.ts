/** What ties an answer of the provider to the request that it belongs to. The browser keeps it, encrypted. */
export interface OpenIdAttempt {
  state: string
  nonce: string
  /** PKCE: proves at the end that the one who began is the one who ends. */
  codeVerifier: string
}

/** Whom the provider has named. */
export interface OpenIdPerson {
  /** An e-mail address that the provider vouches for, else the provider's own name for the person. */
  name: string
  /** Of the claim that gives roles. */
  values: readonly string[]
}

/** An OpenID Connect provider. Both methods reject while it is unreachable. */
export interface OpenIdProvider {
  /** Where the browser goes, to come back to `returnUrl`. */
  begin(returnUrl: string): Promise<{ url: string; attempt: OpenIdAttempt }>
  /** `cameBackTo`: the address with its query. undefined: the provider refused, or the answer proves nothing. */
  finish(cameBackTo: string, attempt: OpenIdAttempt): Promise<OpenIdPerson | undefined>
}
