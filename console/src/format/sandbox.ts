/** Address of the sandbox's first vendor. An operator's own vendor on loopback has another path. */
const SANDBOX = /^http:\/\/127\.0\.0\.1:\d+\/vendor-a\/api\/v3$/

/** Whether the sandbox answers: it serves only while no other provider is configured. */
export function isSandbox(providers: readonly { base_url: string }[]): boolean {
  return providers.some(({ base_url }) => SANDBOX.test(base_url))
}
