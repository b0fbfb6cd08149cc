interface Parts {
  config: typeof import('../../../src/compose/config.ts')
  'start-server': typeof import('../../../src/process/start-server.ts')
  'sqlite-store': typeof import('../../../src/adapters/sqlite/open-store.ts')
  'sqlite-migrate': typeof import('../../../src/adapters/sqlite/migrate.ts')
  'postgres-store': typeof import('../../../src/adapters/postgres/open-store.ts')
}

/** Loads a part of the program from the bundle, or from newer sources. Tests start such processes many times. */
export async function loadPart<Name extends keyof Parts>(name: Name): Promise<Parts[Name]> {
  const { programUrl } = await import(new URL('../../../bin/program.js', import.meta.url).href)
  return import(programUrl(name).href)
}
