/**
 * The two parts of undici that we use, loaded by themselves: its front door also loads `fetch`, WebSockets and mocks,
 * which cost a process 14 MB and a tenth of a second at every start. The version is pinned, and the upstream tests run on these.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}

declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici'
}

declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici'
}
