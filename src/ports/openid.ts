/** Binds an answer of the provider to its request. The browser keeps it, encrypted. */
export interface OpenIdAttempt {
  state: string
  nonce: string
  /** PKCE verifier: proves that one browser began and finishes the sign-in. */
  codeVerifier: string
}

export interface OpenIdPerson {
  /** E-mail address, or the provider's id of the person if there is none or the provider calls it unverified. */
  name: string
  /** Values of the claim that gives roles. */
  values: readonly string[]
}

/** An OpenID Connect provider. Both methods reject while it is unreachable. */
export interface OpenIdProvider {
  /** Returns the URL for the browser, which comes back to `returnUrl`. */
  begin(returnUrl: string): Promise<{ url: string; attempt: OpenIdAttempt }>
  /** Returns undefined when the provider refused or the answer proves nothing. `cameBackTo` includes the query. */
  finish(cameBackTo: string, attempt: OpenIdAttempt): Promise<OpenIdPerson | undefined>
}
