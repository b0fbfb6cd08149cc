import { driverOf, type Provider } from '../../adapters/providers/drivers.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { VendorModel } from '../../ports/installation.ts'
import type { Config } from '../config.ts'
import { composeOutside } from '../outside.ts'
import { diagnosisTools } from '../tools.ts'
import { askJson, oneAtATime } from './check-probe.ts'
import { explainConnection } from './explain-connection.ts'

export type { VendorModel }

const PATIENCE_MS = 15_000
const MODELS_MAX = 1_000

/** Lists the vendor's models. Only the first page of a long list is read. */
export async function listVendorModels(config: Config, provider: Provider): Promise<VendorModel[]> {
  const question = driverOf(provider).modelList?.(provider)
  if (question === undefined)
    throw new ApiError('invalid_parameter', {
      message: `The driver ${provider.driver} has no call that lists its models: its documentation names them.`,
    })
  const { openUpstream } = await composeOutside(config, diagnosisTools(config))
  const upstream = openUpstream({ ...oneAtATime(PATIENCE_MS), ...provider })
  const call = { operation: 'list-models', method: 'GET', ...question } as const
  try {
    const { status, body } = await askJson(upstream, call, PATIENCE_MS)
    if (status !== 200) throw failed(`it answers HTTP ${status}`)
    return readList(body, provider)
  } catch (error) {
    if (error instanceof ApiError) throw error
    const url = new URL(provider.baseUrl)
    throw failed(explainConnection(error, { url, setting: 'base_url', speaksTls: false }).detail, error)
  } finally {
    await upstream.close()
  }
}

function readList(body: unknown, { models }: Provider): VendorModel[] {
  const { data }: { data?: unknown } = Object(body)
  if (!Array.isArray(data)) throw failed('its answer is not a list of models')
  const ids = data.flatMap((row) => (typeof Object(row).id === 'string' ? [Object(row).id] : []))
  const names = new Map(Array.from(models ?? [], ([name, model]) => [Object(model).upstream ?? name, name]))
  return ids.slice(0, MODELS_MAX).map((id) => ({ id, name: names.get(id) ?? null }))
}

function failed(detail: string, cause?: unknown): ApiError {
  return new ApiError('upstream_error', { message: `The models cannot be listed: ${detail}.`, cause })
}
