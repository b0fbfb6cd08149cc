import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../../src/config/settings/settings.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { renderChart } from './render-chart.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CHART = join(ROOT, 'deploy/helm/sluice')

const EVERYTHING = {
  image: { repository: 'registry.example.com/sluice', tag: '1.2.3' },
  imagePullSecrets: [{ name: 'pull' }],
  providerSecrets: ['vendors', 'more-vendors'],
  publicBaseUrl: 'https://ai.example.com',
  env: { LOG_LEVEL: 'warn', DATABASE_POOL_SIZE: 20 },
  service: { type: 'LoadBalancer', annotations: { a: 'b' } },
  ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'tls' },
  catalog: 'models: []',
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  autoscaling: { enabled: true },
  networkPolicy: { enabled: true, from: [{ podSelector: { matchLabels: { app: 'web' } } }] },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  dashboards: { enabled: true },
  serviceAccount: { annotations: { a: 'b' } },
  podAnnotations: { a: 'b' },
  podLabels: { team: 'video' },
  nodeSelector: { arch: 'arm64' },
  tolerations: [{ key: 'gpu', operator: 'Exists' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'sluice' } },
    },
  ],
}

const RENDERED = {
  defaults: renderChart(CHART, { release: 'sluice' }),
  'every option': renderChart(CHART, { release: 'prod', values: EVERYTHING }),
}

/** Paths of the types of each kind. */
const KINDS: Readonly<Record<string, string>> = {
  'apps/v1 Deployment': 'kubernetes-models/apps/v1',
  'v1 Service': 'kubernetes-models/v1',
  'v1 ConfigMap': 'kubernetes-models/v1',
  'v1 ServiceAccount': 'kubernetes-models/v1',
  'v1 Pod': 'kubernetes-models/v1',
  'batch/v1 Job': 'kubernetes-models/batch/v1',
  'policy/v1 PodDisruptionBudget': 'kubernetes-models/policy/v1',
  'autoscaling/v2 HorizontalPodAutoscaler': 'kubernetes-models/autoscaling/v2',
  'networking.k8s.io/v1 Ingress': 'kubernetes-models/networking.k8s.io/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'kubernetes-models/networking.k8s.io/v1',
  'monitoring.coreos.com/v1 PrometheusRule':
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  'monitoring.coreos.com/v1 ServiceMonitor':
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
}

function kindOf(object: Record<string, unknown>): string {
  return `${object.apiVersion} ${object.kind}`
}

function find(name: keyof typeof RENDERED, kind: string) {
  return Object(RENDERED[name].objects.find((object) => object.kind === kind))
}

describe.each(Object.entries(RENDERED))('the chart with %s', (_name, { objects }) => {
  test.each(objects.map((object) => [kindOf(object), object]))('%s is valid', async (kind, object) => {
    const from = KINDS[kind]
    if (from === undefined) throw new Error(`No schema is named for ${kind}.`)
    const model = Object(await import(from))[String(object.kind)]
    new model(object).validate()
  })
})

test('no object has a field that Kubernetes does not know', () => {
  const objects = Object.values(RENDERED).flatMap((rendered) => rendered.objects)
  const lines = objects.map((object, index) => {
    const type = `import('${KINDS[kindOf(object)]}').I${object.kind}`
    return `export const object${index}: ${type} = ${JSON.stringify(object)}`
  })
  // The folder is inside the repository, so that the compiler finds the packages.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.helm-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const check = (text: string) => {
    writeFileSync(join(folder, 'objects.ts'), text)
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ]
    const command = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags, 'objects.ts']
    try {
      execFileSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
      return ''
    } catch (error) {
      return String(Object(error).stdout)
    }
  }
  expect(check(lines.join('\n'))).toBe('')
  expect(check(lines.join('\n').replace('"readinessProbe"', '"readinesProbe"'))).toMatch(/readinesProbe/)
}, 120_000)

test('the pod lives longer than its drain, and each environment variable is a setting', () => {
  const { spec } = find('defaults', 'Deployment').spec.template
  const [container] = spec.containers
  const env = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  )
  const preStopSeconds = Number(container.lifecycle.preStop.exec.command[1])
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(
    preStopSeconds + Number(env.SHUTDOWN_GRACE_MS) / 1_000,
  )
  expect(Number(env.SHUTDOWN_NOT_READY_MS) * 2).toBeLessThanOrEqual(Number(env.SHUTDOWN_GRACE_MS))
  for (const name of Object.keys(env)) expect(Object.keys(SETTINGS)).toContain(name)
})

test('the pod runs as a user other than root, with a read-only root and without a cluster token', () => {
  for (const kind of ['Deployment', 'Job']) {
    const { spec } = find('defaults', kind).spec.template
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(spec.automountServiceAccountToken).toBe(false)
  }
})

test('secrets are referred to, never written', () => {
  const pod = find('every option', 'Deployment').spec.template.spec
  expect(pod.containers[0].envFrom).toEqual([
    { secretRef: { name: 'sluice' } },
    { secretRef: { name: 'vendors' } },
    { secretRef: { name: 'more-vendors' } },
  ])
  expect(RENDERED['every option'].objects.map(({ kind }) => kind)).not.toContain('Secret')
})

test('the tables change before the new pods start', () => {
  const { annotations } = find('defaults', 'Job').metadata
  expect(annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  expect(find('defaults', 'Job').spec.template.spec.containers[0].args).toEqual(['migrate'])
})

test('a written config is the file that the gateway reads', () => {
  const { data } = find('defaults', 'ConfigMap')
  expect(parse(data['sluice.yaml'])).toEqual({ providers: {} })
  const own = renderChart(CHART, { release: 'own', values: { existingConfigMap: 'mine' } })
  expect(own.objects.map(({ kind }) => kind)).not.toContain('ConfigMap')
})

test('the notes name the first step', () => {
  expect(RENDERED.defaults.notes).toContain('-- sluice org create')
})

test('paths for operators are not on the ingress, unless the values ask for them', () => {
  const pathsOf = (operator: boolean) => {
    const values = { ingress: { enabled: true, operator } }
    const { objects } = renderChart(CHART, { release: 'sluice', values })
    const { rules } = Object(objects.find(({ kind }) => kind === 'Ingress')).spec
    return rules[0].http.paths.map(({ path, pathType }: Record<string, string>) => `${pathType} ${path}`)
  }
  expect(pathsOf(true)).toEqual(['Prefix /'])
  const open = pathsOf(false)
  const isOpen = (path: string) =>
    open.some((line: string) => {
      const [kind, prefix = ''] = line.split(' ')
      return path === prefix || (kind === 'Prefix' && path.startsWith(`${prefix}/`))
    })
  const firstParts = new Set(OPERATIONS.map(({ path }) => `/${path.split('/')[1]}`))
  const closed = [...firstParts].filter((path) => !isOpen(path)).sort()
  expect(closed).toEqual(['/admin', '/console', '/metrics', '/readyz'])
})

test('the alerts of the rule equal those that Prometheus loads elsewhere', () => {
  const rules = parse(readFileSync(join(ROOT, 'deploy/prometheus/rules.yaml'), 'utf8'))
  expect(find('every option', 'PrometheusRule').spec).toEqual(rules)
})

test('pods restart when a config or a Secret changes', () => {
  const { metadata, spec } = find('every option', 'Deployment')
  expect(metadata.annotations).toEqual({
    'secret.reloader.stakater.com/reload': 'sluice,vendors,more-vendors',
  })
  const other = renderChart(CHART, { release: 'prod', values: { ...EVERYTHING, config: 'providers:\n' } })
  const changed = Object(other.objects.find(({ kind }) => kind === 'Deployment'))
  expect(changed.spec.template.metadata.annotations['checksum/config']).not.toBe(
    spec.template.metadata.annotations['checksum/config'],
  )
  const own = renderChart(CHART, { release: 'own', values: { existingConfigMap: 'mine' } })
  const { annotations } = Object(own.objects.find(({ kind }) => kind === 'Deployment')).metadata
  expect(annotations['configmap.reloader.stakater.com/reload']).toBe('mine')
})

test('a catalog is applied after the migration, and helm test calls the service', () => {
  const jobs = RENDERED['every option'].objects.filter(({ kind }) => kind === 'Job').map(Object)
  const job = jobs.find(({ metadata }) => metadata.name === 'prod-catalog')
  expect(job.metadata.annotations['helm.sh/hook']).toBe('post-install,post-upgrade')
  expect(job.spec.template.spec.containers[0].args).toEqual(['apply', '/catalog/catalog.yaml'])
  expect(RENDERED.defaults.objects.filter(({ kind }) => kind === 'Job')).toHaveLength(1)
  const pod = find('defaults', 'Pod')
  expect(pod.metadata.annotations['helm.sh/hook']).toBe('test')
  expect(pod.spec.containers[0].args).toEqual(['http://sluice:80/readyz'])
})
