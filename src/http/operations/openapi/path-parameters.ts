interface PathParameter {
  name: string
  /** Value that the examples show. */
  sample: string
  description: string
}

type Row = readonly [sample: string, description: string]

const ORGANIZATION: Row = [
  'org_019a2b3c',
  'The id of an organization: `GET /admin/v1/organizations` lists them.',
]

/** Entry of `ORIGINS` for a parameter whose values the path before it lists. */
function listed(path: string, sample: string, what: string): Record<string, Row> {
  return { [path]: [sample, `The ${what}: \`GET ${path.replace(/\/:\w+$/, '')}\` lists them.`] }
}
const TASK: Row = ['task_019a2b3c', 'The id of a video task: `GET /admin/v1/tasks` lists them.']

/** Origin of the values in paths, by the path up to the value. */
const ORIGINS: Readonly<Record<string, Row>> = {
  '/v1/video/generations/:task_id': [
    'task_019a2b3c',
    'The `id` in the answer to `POST /v1/video/generations`; `GET /v1/video/generations` lists them.',
  ],
  '/v1/video/callbacks/:id': [
    'msg_019a2b3c',
    'The `id` of a callback: `GET /v1/video/callbacks` lists them.',
  ],
  '/v1/media/:token': ['...', 'The end of `content.video_url` of a task whose files are kept.'],
  '/v1/provenance/:sha256': [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'The SHA-256 of a file in lower-case hex, as `sha256sum` prints it.',
  ],
  '/v1/videos/:video_id': [
    'video_019a2b3c',
    'The `id` in the answer to `POST /v1/videos`; `GET /v1/videos` lists them.',
  ],
  '/api/v3/contents/generations/tasks/:native_id': [
    'cgt-019a2b3c',
    'The `id` in the answer to `POST /api/v3/contents/generations/tasks`.',
  ],
  '/v1/video/assets/:asset_id': [
    'asset_019a2b3c',
    'The `id` in the answer to `POST /v1/video/assets`; `GET /v1/video/assets` lists them.',
  ],
  '/v1/responses/:response_id': [
    'resp_019a2b3c',
    'The `id` in the answer to `POST /v1/responses` with `store: true` or `background: true`.',
  ],
  '/v1/models/:provider': [
    'vendorC',
    'The part of a model id before its first slash: `GET /v1/models` lists them.',
  ],
  '/v1/models/:provider/:name': ['model-4.1', 'The part of a model id after its first slash.'],
  '/v1/usage/:request_id': ['req_019a2b3c', 'The header `x-request-id` of the answer to a text request.'],
  '/admin/v1/organizations/:id': ORGANIZATION,
  '/admin/v1/credit/:id': ORGANIZATION,
  ...listed('/admin/v1/users/:id', 'usr_019a2b3c', 'id of a user'),
  '/admin/v1/keys/:id': [
    'key_019a2b3c',
    'The id of an API key, not the key: `GET /admin/v1/keys` lists them.',
  ],
  ...listed('/admin/v1/ledger/:id', 'ent_019a2b3c', 'id of a ledger entry'),
  '/admin/v1/aliases/:alias': ['gpt-5', 'An alias of a model: `GET /admin/v1/aliases` lists them.'],
  '/admin/v1/models/:name': [
    'openai%2Fgpt-5',
    'The name of a model, percent-encoded: `GET /admin/v1/models` lists them.',
  ],
  '/admin/v1/requests/:id': [
    'req_019a2b3c',
    'The `request_id` of a request: `GET /admin/v1/requests` lists them.',
  ],
  '/admin/v1/tasks/:id': TASK,
  '/admin/v1/callbacks/:id': TASK,
  '/admin/v1/usage/:id': [
    'req_019a2b3c',
    'The `x-request-id` of a request, or the id of a usage row or of a video task.',
  ],
  ...listed('/admin/v1/assets/:id', 'asset_019a2b3c', 'id of an asset'),
  ...listed('/admin/v1/groups/:id', 'group_019a2b3c', 'id of a group'),
  ...listed('/admin/v1/verifications/:id', 'verification_019a2b3c', 'id of a verification'),
  ...listed('/admin/v1/providers/:id', 'vendorC', 'name of a provider'),
  ...listed('/admin/v1/events/:id', 'evt_019a2b3c', 'id of an event'),
  ...listed('/admin/v1/operators/:id', 'opr_019a2b3c', 'id of an operator'),
}

/** Parameters of a path such as `/v1/tasks/:id`, in its order. */
export function pathParametersOf(path: string): PathParameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(({ 0: all, 1: name = '', index }) => {
    const [sample, description] = ORIGINS[path.slice(0, index + all.length)] ?? ['...', '']
    return { name, sample, description }
  })
}
