/** A part of `ERRORS`: statuses of 500 and above, whose cause is not the request. */
export const SERVER_ERRORS = {
  internal_error: {
    status: 500,
    type: 'api_error',
    message: 'Something went wrong on our side.',
    advice: 'Report the `x-request-id` of the answer to your operator.',
  },
  upstream_error: {
    status: 502,
    type: 'upstream_error',
    message: 'The provider failed.',
    advice: 'Try again; the failure is not yours.',
  },
  provider_not_configured: {
    status: 503,
    type: 'service_unavailable_error',
    message: 'The provider of this model is not configured.',
    advice: 'Ask your operator to configure the provider in sluice.yaml.',
  },
  provider_unavailable: {
    status: 503,
    type: 'service_unavailable_error',
    message: 'The provider is not available.',
    advice: 'Try again later.',
  },
  model_not_priced: {
    status: 503,
    type: 'service_unavailable_error',
    message: 'This model has no price yet.',
    advice: 'Ask your operator to set a price with `sluice apply`.',
  },
  store_unavailable: {
    status: 503,
    type: 'service_unavailable_error',
    message: 'The store is not available.',
    advice: 'Try again in a few seconds.',
  },
  billing_unavailable: {
    status: 503,
    type: 'service_unavailable_error',
    message: 'Billing is not available.',
    advice: 'Try again in a few seconds.',
  },
  overloaded: {
    status: 503,
    type: 'service_unavailable_error',
    message: 'The gateway is busy.',
    advice: 'Wait as long as `Retry-After` says, then try again.',
  },
  upstream_overloaded: {
    status: 529,
    type: 'overloaded_error',
    message: 'The provider is overloaded.',
    advice: 'Wait as long as `Retry-After` says, then try again.',
  },
} as const
