/** The version of the API, as in its paths; that of the program goes its own way. */
export const API_VERSION = 'v1'
