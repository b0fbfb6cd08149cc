import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { obtainBinary } from './obtain-binary.ts'
import { createServerFolder } from './server-folder.ts'
import { startServerProcess } from './server-process.ts'
import { runTestServer, type TestServer } from './test-server.ts'

const PROMETHEUS = { debianPackage: 'prometheus', homebrewPackage: 'prometheus' }

/** The program that checks rules and queries; it comes with Prometheus. */
export function findPromtool(): string {
  return obtainBinary({ ...PROMETHEUS, binaries: ['promtool'] })
}

/** A Prometheus that scrapes these addresses every second, and evaluates these rules. */
export async function startPrometheus({
  targets,
  rules,
}: {
  targets: readonly string[]
  rules: string
}): Promise<TestServer> {
  const binary = obtainBinary({ ...PROMETHEUS, binaries: ['prometheus'] })
  const folder = createServerFolder({ name: 'prometheus', owner: undefined, endSignal: 'KILL' })
  const configFile = join(folder.path, 'prometheus.yml')
  writeFileSync(configFile, JSON.stringify(configOf(targets, rules)))
  return runTestServer({
    folder,
    url: (port) => `http://127.0.0.1:${port}`,
    launch: (port) =>
      startServerProcess({
        binary,
        args: [
          `--config.file=${configFile}`,
          `--storage.tsdb.path=${join(folder.path, 'data')}`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        folder,
        user: undefined,
        isReady: () => isReady(port),
      }),
    crashSignal: 'SIGKILL',
    stopSignal: 'SIGTERM',
  })
}

/** JSON is YAML. */
function configOf(targets: readonly string[], rules: string): object {
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'sluice', static_configs: [{ targets }] }],
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok
  } catch {
    return false
  }
}
