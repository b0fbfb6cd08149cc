/** What vendors tell beside an answer; a gateway has to choose what of it is its clients' business. */
export const TALKATIVE_HEADERS: Readonly<Record<string, string>> = {
  'anthropic-organization-id': 'org_sandbox',
  'anthropic-ratelimit-requests-remaining': '99',
  'openai-organization': 'org-sandbox',
  'openai-processing-ms': '42',
  'x-ratelimit-remaining-requests': '99',
  'set-cookie': 'sandbox=secret; HttpOnly',
  server: 'sandbox',
  'x-vendor-internal': 'do not show',
}
