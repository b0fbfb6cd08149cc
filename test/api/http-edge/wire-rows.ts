import { ask, BODY, INPUT, LAST, message, type Sent } from './wire-request.ts'

/**
 * An answer: its status, whether the connection stays open, its operation in the metrics, its error code, and the allowed
 * methods. The operation is `none` where Node's parser refuses the request.
 */
export type Expected = [
  status: number,
  connection: 'close' | 'keep-alive',
  operation: string,
  code?: string,
  allow?: string,
]

export type Row = [name: string, expected: Expected | Expected[], sent: Sent | Sent[]]

const UPGRADE = 'Connection: upgrade\r\nUpgrade: websocket\r\n'
const HANDSHAKE = `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const CONTINUE = 'Expect: 100-continue\r\n'

const MESSAGE: Expected = [200, 'close', 'createMessage']
const MODELS: Expected = [200, 'close', 'listModels']
const HEALTH: Expected = [200, 'close', 'healthz']
const KEPT_MODELS: Expected = [200, 'keep-alive', 'listModels']
const NOWHERE: Expected = [404, 'close', 'unknown', 'not_found']
const MALFORMED: Expected = [400, 'close', 'unknown', 'malformed_request']
const NO_HTTP: Expected = [400, 'close', 'none', 'malformed_request']
const wrongMethod = (allow: string): Expected => [405, 'close', 'unknown', 'method_not_allowed', allow]
const noModel: Expected = [404, 'close', 'getModelByPath', 'model_not_found']
const noTask: Expected = [404, 'close', 'getTask', 'task_not_found']
const wrongKey = (operation: string): Expected => [401, 'close', operation, 'invalid_api_key']

export const ADDRESSES: Row[] = [
  ['a question mark alone', MESSAGE, message({ start: 'POST /v1/messages?' })],
  ['a query', MESSAGE, message({ start: 'POST /v1/messages?beta=true' })],
  ['two question marks', MODELS, ask('GET /v1/models??x')],
  ['names of JavaScript in the query', MODELS, ask('GET /v1/models?__proto__=x&constructor=y')],
  ['a fragment', MESSAGE, message({ start: 'POST /v1/messages#x' })],
  ['an escaped letter', MESSAGE, message({ start: 'POST /v1/%6dessages' })],
  ['a slash at the end', NOWHERE, message({ start: 'POST /v1/messages/' })],
  ['a slash at the end of a probe', NOWHERE, ask('GET /healthz/')],
  ['a slash and no model', noModel, ask('GET /v1/models/')],
  [
    'a slash and no task',
    [400, 'close', 'getWithoutTaskId', 'missing_parameter'],
    ask('GET /v1/video/generations/'),
  ],
  ['a slash alone', [200, 'close', 'home'], ask('GET /')],
  ['two slashes', NOWHERE, message({ start: 'POST //v1/messages' })],
  ['two slashes inside', NOWHERE, ask('GET /v1//models')],
  ['an escaped slash', NOWHERE, ask('GET /v1%2Fmodels')],
  ['an escaped slash in an id', noTask, ask('GET /v1/video/generations/a%2Fb')],
  ['an escaped NUL in an id', noTask, ask('GET /v1/video/generations/%00')],
  ['an escaped escape', noModel, ask('GET /v1/models/%2525')],
  ['a semicolon', NOWHERE, ask('GET /v1/models;x=1')],
  ['dots', NOWHERE, ask('GET /v1/../v1/models')],
  ['capital letters', NOWHERE, message({ start: 'POST /V1/messages' })],
  ['an invalid escape', MALFORMED, ask('GET /v1/models%zz')],
  ['an escape cut short', MALFORMED, ask('GET /v1/models%2')],
  ['an escape of half a character', MALFORMED, ask('GET /v1/models%C3')],
  ['an invalid escape in an id', MALFORMED, ask('GET /v1/video/generations/%zz')],
  ['an invalid escape in the query', MODELS, ask('GET /v1/models?x=%zz')],
  ['a letter that should be escaped', NO_HTTP, ask('GET /v1/models/\xe9')],
  ['no slash', NO_HTTP, ask('GET v1/models')],
  ['backslashes', NO_HTTP, ask('GET \\v1\\models')],
  ['a whole address', MESSAGE, message({ start: 'POST http://x/v1/messages' })],
  ['a whole address of another host', MODELS, ask('GET http://elsewhere:99/v1/models?x=1')],
  ['a whole address in capital letters', MODELS, ask('GET HTTP://X/v1/models')],
  ['a whole address with a user', MODELS, ask('GET http://u:p@x/v1/models')],
  ['a whole address of https', MODELS, ask('GET https://x/v1/models')],
  ['a whole address without a path', [200, 'close', 'home'], ask('GET http://x')],
  ['a whole address that leads nowhere', NOWHERE, ask('GET http://x/v1/messages/none')],
  ['a whole address of another kind', NOWHERE, ask('GET ftp://x/v1/models')],
  ['a whole address without a host', MALFORMED, ask('GET http:///v1/models')],
  ['an address of 8 KiB', MODELS, ask(`GET /v1/models?${'a'.repeat(8 * 1024 - 11)}`)],
  [
    'a longer address',
    [414, 'close', 'unknown', 'uri_too_long'],
    ask(`GET /v1/models?${'a'.repeat(8 * 1024)}`),
  ],
  [
    'an address that the parser gives up',
    [414, 'close', 'none', 'uri_too_long'],
    ask(`GET /v1/models?${'a'.repeat(60_000)}`),
  ],
  [
    'a longer id',
    [414, 'close', 'unknown', 'uri_too_long'],
    ask(`GET /v1/video/generations/${'a'.repeat(9_000)}`),
  ],
  ['a long id', noTask, ask(`GET /v1/video/generations/${'a'.repeat(7_000)}`)],
]

export const METHODS: Row[] = [
  ['OPTIONS of an asterisk', NOWHERE, ask('OPTIONS *')],
  ['OPTIONS', wrongMethod('GET, HEAD'), ask('OPTIONS /v1/models')],
  [
    'OPTIONS of a browser',
    [204, 'close', 'preflight'],
    ask('OPTIONS /v1/messages', {
      headers: `${LAST}Origin: http://a\r\nAccess-Control-Request-Method: POST\r\n`,
    }),
  ],
  ['TRACE', wrongMethod('GET, HEAD'), ask('TRACE /healthz')],
  ['PUT', wrongMethod('POST'), ask('PUT /v1/messages')],
  ['PUT where there is an id', wrongMethod('GET, DELETE, HEAD'), ask('PUT /v1/video/generations/x')],
  ['DELETE of a list', wrongMethod('POST, GET, HEAD'), ask('DELETE /v1/video/generations')],
  ['POST of the models', wrongMethod('GET, HEAD'), message({ start: 'POST /v1/models' })],
  ['POST of a file', wrongMethod('GET, HEAD'), message({ start: 'POST /console/x.js' })],
  ['PUT for operators', wrongMethod('GET, POST, HEAD'), ask('PUT /admin/v1/organizations')],
  ['GET where only POST is taken', wrongMethod('POST'), ask('GET /v1/responses')],
  ['a rare method', wrongMethod('GET, HEAD'), ask('M-SEARCH /v1/models')],
  ['a rare method at an unknown address', NOWHERE, ask('PROPFIND /nothing')],
  ['an unknown method', NO_HTTP, ask('FROB /v1/models')],
  ['a method in small letters', NO_HTTP, ask('get /v1/models')],
  [
    'CONNECT',
    [405, 'close', 'none', 'method_not_allowed', 'GET, HEAD, POST, DELETE'],
    ask('CONNECT x:1', { raw: '' }),
  ],
  ['a wrong method with a wrong key', wrongKey('unknown'), ask('PUT /v1/models', { key: 'wrong' })],
  ['another method in a header', MESSAGE, message({ headers: 'X-HTTP-Method-Override: GET\r\n' })],
  ['DELETE in a header', MODELS, ask('GET /v1/models', { headers: `${LAST}X-HTTP-Method: DELETE\r\n` })],
  [
    'another method in the query and the body',
    wrongMethod('GET, HEAD'),
    message({ start: 'POST /v1/models?_method=GET', body: '_method=GET' }),
  ],
  ['HEAD of a list', MODELS, ask('HEAD /v1/models')],
  ['HEAD of a model', [200, 'close', 'getModelByPath'], ask('HEAD /v1/models/vendorA%2Fgen-2.0')],
  ['HEAD of an unknown model', noModel, ask('HEAD /v1/models/none')],
  ['HEAD of a probe', HEALTH, ask('HEAD /healthz')],
  ['HEAD of a page', [200, 'close', 'docs'], ask('HEAD /docs')],
  ['HEAD of a file that is not there', [404, 'close', 'consoleFile', 'not_found'], ask('HEAD /console/x.js')],
  ['HEAD of nothing', NOWHERE, ask('HEAD /nothing')],
  ['HEAD of an address with an invalid escape', MALFORMED, ask('HEAD /%zz')],
  ['HEAD where only POST is taken', wrongMethod('POST'), ask('HEAD /v1/messages')],
  ['HEAD with a wrong key', wrongKey('listModels'), ask('HEAD /v1/models', { key: 'wrong' })],
  ['HEAD for a WebSocket', wrongMethod('POST'), ask('HEAD /v1/responses', { headers: HANDSHAKE })],
]

const size = `${BODY.length.toString(16)}\r\n${BODY}\r\n`
const RESPONSES = 'POST /v1/responses'
const THREE = '3\r\nabc\r\n0\r\n\r\n'

export const BODIES: Row[] = [
  ['a message', MESSAGE, message({})],
  ['a response', [200, 'close', 'createResponse'], message({ start: 'POST /v1/responses', body: INPUT })],
  ['a message in chunks', MESSAGE, message({ headers: CHUNKED, raw: `${size}0\r\n\r\n` })],
  ['chunks with a trailer', MESSAGE, message({ headers: CHUNKED, raw: `${size}0\r\nX: y\r\n\r\n` })],
  ['chunks behind GET', MODELS, ask('GET /v1/models', { headers: `${LAST}${CHUNKED}`, raw: THREE })],
  [
    'chunks behind GET, and another request',
    [KEPT_MODELS, HEALTH],
    [ask('GET /v1/models', { headers: CHUNKED, raw: THREE }), ask('GET /healthz')],
  ],
  [
    'broken chunks behind GET',
    [400, 'close', 'none', 'malformed_request'],
    ask('GET /v1/models', { headers: `${LAST}${CHUNKED}`, raw: 'zz\r\n' }),
  ],
  ['chunks of HTTP/1.0', MALFORMED, message({ version: '1.0', headers: CHUNKED, raw: '0\r\n\r\n' })],
  ['a length and chunks', NO_HTTP, message({ start: RESPONSES, headers: CHUNKED, body: '0\r\n\r\n' })],
  ['one length twice', NO_HTTP, message({ start: RESPONSES, headers: `Content-Length: ${BODY.length}\r\n` })],
  ['two lengths', NO_HTTP, message({ start: RESPONSES, headers: 'Content-Length: 1\r\n' })],
  [
    'a list of lengths',
    NO_HTTP,
    message({ start: RESPONSES, headers: 'Content-Length: 3, 3\r\n', raw: 'abc' }),
  ],
  ['a body of another form', [400, 'close', 'createMessage', 'missing_parameter'], message({ body: INPUT })],
  ['no JSON', [400, 'close', 'createMessage', 'invalid_json'], message({ body: '[' })],
  ['no body', [400, 'close', 'createMessage', 'invalid_json'], message({ body: '' })],
  [
    'another type',
    [415, 'close', 'createMessage', 'unsupported_media_type'],
    message({ headers: 'Content-Type: text/plain\r\n' }),
  ],
  [
    'a model that is refused',
    [404, 'close', 'createMessage', 'model_not_found'],
    message({ body: BODY.replace('vendorD/m', 'vendorD/no') }),
  ],
  [
    'a fault of ours',
    [500, 'close', 'createMessage', 'internal_error'],
    message({ body: BODY.replace('vendorD/m', 'vendorD/bug') }),
  ],
  [
    'a body behind GET, and another request',
    [KEPT_MODELS, MODELS],
    [{ start: 'GET /v1/models' }, ask('GET /v1/models')],
  ],
  [
    'too large a body behind GET',
    [413, 'close', 'listModels', 'body_too_large'],
    ask('GET /v1/models', { body: 'x'.repeat(2 ** 20 + 1) }),
  ],
]

export const HEADS: Row[] = [
  ['a wrong key', wrongKey('createMessage'), message({ key: 'wrong' })],
  ['a wrong key for the models', wrongKey('listModels'), ask('GET /v1/models', { key: 'wrong' })],
  ['two keys', wrongKey('createMessage'), message({ headers: 'Authorization: Bearer other\r\n' })],
  ['two hosts', MALFORMED, ask('GET /healthz', { headers: `${LAST}Host: y\r\n` })],
  ['a folded header', NO_HTTP, ask('GET /healthz', { headers: `${LAST}X: a\r\n b\r\n` })],
  ['an expectation', MESSAGE, message({ headers: CONTINUE })],
  ['an expectation of GET', MODELS, ask('GET /v1/models', { headers: `${LAST}${CONTINUE}` })],
  [
    'an unknown expectation',
    [417, 'close', 'unknown', 'expectation_failed'],
    message({ headers: 'Expect: cake\r\n' }),
  ],
  [
    'long headers',
    [431, 'close', 'unknown', 'headers_too_large'],
    message({ headers: `X: ${'a'.repeat(33 * 1024)}\r\n` }),
  ],
  [
    'headers that the parser gives up',
    [431, 'close', 'none', 'headers_too_large'],
    ask('GET /v1/models', { headers: `${LAST}X: ${'a'.repeat(60_000)}\r\n` }),
  ],
  ['HTTP/1.0', HEALTH, ask('GET /healthz', { version: '1.0', headers: '' })],
  [
    'HTTP/1.0 that keeps its connection',
    [[200, 'keep-alive', 'healthz'], HEALTH],
    [ask('GET /healthz', { version: '1.0', headers: 'Connection: keep-alive\r\n' }), ask('GET /healthz')],
  ],
  ['HTTP/2.0 in the form of HTTP/1', HEALTH, ask('GET /healthz', { version: '2.0' })],
  ['HTTP/9.9', NO_HTTP, ask('GET /healthz', { version: '9.9' })],
  ['an upgrade of POST', MESSAGE, { headers: UPGRADE }],
  [
    'an upgrade where there is no WebSocket',
    [426, 'close', 'unknown', 'upgrade_required', 'POST'],
    ask('GET /v1/messages', { headers: UPGRADE }),
  ],
  ['an upgrade where there is a GET', MODELS, ask('GET /v1/models', { headers: UPGRADE })],
  [
    'an upgrade to HTTP/2',
    MODELS,
    ask('GET /v1/models', { headers: 'Connection: upgrade\r\nUpgrade: h2c\r\n' }),
  ],
  [
    'an upgrade with a body',
    [426, 'close', 'unknown', 'upgrade_required', 'POST'],
    { start: 'GET /v1/responses', headers: HANDSHAKE },
  ],
  [
    'an upgrade with a wrong key',
    wrongKey('createResponse'),
    ask('GET /v1/responses', { key: 'wrong', headers: HANDSHAKE }),
  ],
  [
    'an upgrade of another version',
    [400, 'close', 'createResponse', 'malformed_request'],
    ask('GET /v1/responses', { headers: HANDSHAKE.replace('13', '12') }),
  ],
]

export const CONNECTIONS: Row[] = [
  ['two messages on one connection', [[200, 'keep-alive', 'createMessage'], MESSAGE], [{}, message({})]],
  [
    'a page and a message on one connection',
    [[200, 'keep-alive', 'docs'], MESSAGE],
    [ask('GET /docs', { headers: '' }), message({})],
  ],
  [
    'nonsense behind a request',
    [KEPT_MODELS, NO_HTTP],
    [ask('GET /v1/models', { headers: '' }), { start: 'nonsense' }],
  ],
  ['a request behind the last one', HEALTH, [ask('GET /healthz'), ask('GET /v1/models')]],
  [
    'answers in the order of their requests',
    [
      [404, 'keep-alive', 'unknown', 'not_found'],
      [400, 'keep-alive', 'unknown', 'malformed_request'],
      [405, 'keep-alive', 'unknown', 'method_not_allowed', 'GET, HEAD'],
      [200, 'keep-alive', 'healthz'],
      MODELS,
    ],
    [
      ask('GET /nothing', { headers: '' }),
      ask('GET /%zz', { headers: '' }),
      ask('PUT /v1/models', { headers: '' }),
      ask('GET /healthz', { headers: '' }),
      ask('GET /v1/models'),
    ],
  ],
]
