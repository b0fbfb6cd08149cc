/** A part of `ERRORS`: refused changes of providers. */
export const PROVIDER_ERRORS = {
  provider_from_file: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The provider stands in sluice.yaml, and is changed there.',
    advice: 'Change it in `sluice.yaml` and restart the gateway, or take it out there and add it again.',
  },
  provider_name_in_use: {
    status: 409,
    type: 'invalid_request_error',
    message: 'A provider of this name is there already.',
    advice: 'Change that provider with PATCH, or choose another name.',
  },
  provider_in_use: {
    status: 409,
    type: 'invalid_request_error',
    message: 'Video tasks or assets of this provider have not ended.',
    advice: 'Wait until what the answer names is done, and remove the provider then.',
  },
} as const
