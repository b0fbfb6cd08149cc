import { ConfigError, type Fault } from '../config/config-error.ts'
import type { HttpServer } from '../http/server.ts'

/** Resolves with the address. What the operating system refuses is nearly always a setting, and is told as one. */
export async function listen(server: HttpServer, at: { host: string; port: number }): Promise<string> {
  try {
    return await server.listen(at)
  } catch (error) {
    const fault = error instanceof Error && 'code' in error ? faultOf(String(error.code), at) : undefined
    throw fault === undefined ? error : new ConfigError([fault])
  }
}

function faultOf(code: string, { host, port }: { host: string; port: number }): Fault | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return {
        setting: 'PORT',
        wrong: `${port} is already in use on ${host}`,
        fix: 'Stop the other program, or set another PORT; 0 takes a free one.',
      }
    case 'EACCES':
      return { setting: 'PORT', wrong: `this user may not listen on ${port}`, fix: 'Use a port above 1023.' }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
      return {
        setting: 'HOST',
        wrong: `"${host}" is not an address of this machine`,
        fix: 'Use 127.0.0.1 for this machine alone, or 0.0.0.0 for every network.',
      }
    default:
      return undefined
  }
}
