import { requireAllowedModel } from '../../../domain/access/allowed-models.ts'
import type { Caller } from '../../../domain/access/api-key.ts'
import type { OfferedModel } from '../../../domain/catalog/model.ts'
import { unknownModel } from '../../../domain/catalog/unknown-model.ts'
import { readMember } from '../../body/request-body.ts'
import { clientOperation, type Operation } from '../../operation.ts'
import { ModelRow, presentModel } from '../list-models/present-model.ts'

export const getModel = clientOperation('getModel', 'GET /v1/models/:provider/:name', 'responses', {
  isHot: true,
  summary: 'Get a model',
  description: 'One row of the list. The slash between provider and name may be encoded as `%2F`.',
  example: { path: { provider: 'vendorC', name: 'model-4.1' } },
  replies: {
    200: { description: 'The model.', schema: ModelRow },
    404: { description: 'There is no such model.' },
  },
  serve({ app }, { params, caller }) {
    const name = `${readMember(params, 'provider')}/${readMember(params, 'name')}`
    return findModel(name, app.listModels(caller), caller)
  },
})

/** SDKs encode the slash of an id, and the part after the provider may contain further slashes. */
export const getModelByPath: Operation = {
  ...getModel,
  id: 'getModelByPath',
  path: '/v1/models/*',
  undocumented: true,
  handle:
    ({ app }) =>
    ({ params, caller }) =>
      findModel(String(readMember(params, '*')), app.listModels(caller), caller),
}

async function findModel(
  name: string,
  models: readonly OfferedModel[] | Promise<readonly OfferedModel[]>,
  caller: Caller,
): Promise<object> {
  const offered = await models
  const model = offered.find((other) => other.name === name)
  requireAllowedModel(caller, name, model && { name: model.aliasOf ?? name })
  if (model !== undefined) return presentModel(model)
  const names = offered.map((other) => other.name)
  throw unknownModel(name, names)
}
